import type { Context } from '../../context.ts';
import { OtsError } from '../../errors/ots-error.ts';
import { scaffoldedFiles } from '../../layouts/typescript/unedited-project.ts';
import { quoted } from '../../project/names/quoted.ts';
import { projectFile } from '../../scaffold/project-root.ts';
import { recordFile } from '../../scaffold/scaffold-record.ts';
import type { Tree } from '../../scaffold/tree.ts';
import { findRevision } from '../shared/git-revision.ts';

/**
 * The record of the project.
 *
 * @throws OtsError `NO_SCAFFOLD_RECORD`, `INVALID_SCAFFOLD_RECORD`
 */
export function recordedBase(tree: Tree): ReadonlyMap<string, Buffer> {
  const files = scaffoldedFiles(tree);
  if (files) return files;
  throw new OtsError(
    'NO_SCAFFOLD_RECORD',
    `The project does not have ${recordFile}, which tells edits from the scaffold`,
    {
      hint: 'Name the commit before the first edit with --base. If you edited no file, commit the project and use --base HEAD.',
    },
  );
}

/**
 * The files of the project at a git revision. Packages and links are not among them.
 *
 * @throws OtsError `NO_PROJECT_AT_REF`, and those of {@link findRevision}
 */
export async function committedBase(
  revision: string,
  root: string,
  context: Context,
): Promise<ReadonlyMap<string, Buffer>> {
  const { read } = await findRevision(revision, root, context);
  const files = await read((path) => !path.startsWith('vendor/') && !path.startsWith('node_modules/'));
  const base = new Map(files.map(({ path, content }) => [path, content]));
  if (base.has(projectFile)) return base;
  throw new OtsError('NO_PROJECT_AT_REF', `The project does not have ${projectFile} at ${quoted(revision)}`, {
    hint: 'Name a commit after ots init, in which no file is edited yet.',
  });
}
