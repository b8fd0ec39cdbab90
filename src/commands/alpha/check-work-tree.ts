import type { Context } from '../../context.ts';
import { OtsError } from '../../errors/ots-error.ts';
import { gitIn, reasonOf } from '../shared/git.ts';

/**
 * Refuses a project in a git repository with changes that are not committed: after an update, git could neither show nor revert what the
 * update changed. Does nothing without a repository, or without git.
 *
 * @param root absolute path of the project
 * @throws OtsError `NOT_COMMITTED`, `NO_REPOSITORY` if git cannot read it
 */
export async function checkWorkTree(root: string, context: Context): Promise<void> {
  const status = await statusOf(root, context);
  if (!status) return;
  if (status.failed) {
    const reason = reasonOf(status);
    if (reason.includes('not a git repository')) return;
    throw new OtsError('NO_REPOSITORY', `Cannot read this project's git repository: ${reason}`, {
      hint: 'Fix what git reports, or update without git with --force.',
    });
  }
  if (status.stdout.length === 0) return;
  throw new OtsError('NOT_COMMITTED', 'The project has changes that are not committed', {
    hint: 'Commit or stash them, so git can show and revert the update, or add --force.',
  });
}

/** @returns undefined without git */
async function statusOf(root: string, context: Context) {
  try {
    return await gitIn(root, context)(['status', '--porcelain', '-z', '--', '.']);
  } catch (error) {
    if (error instanceof OtsError && error.code === 'GIT_MISSING') return undefined;
    throw error;
  }
}
