import type { Context } from '../../context.ts';
import { OtsError } from '../../errors/ots-error.ts';
import { quoted } from '../../project/names/quoted.ts';
import { type Git, gitIn, reasonOf } from './git.ts';

/** A file at a git revision. */
interface CommittedFile {
  /** Relative to the project. */
  readonly path: string;
  readonly content: Buffer;
}

/** A commit of the repository around a project. */
export interface GitRevision {
  /** The full name of the commit. */
  readonly commit: string;
  /** Reads the files, not links, below the project whose paths the function accepts. */
  readonly read: (accepts: (path: string) => boolean) => Promise<CommittedFile[]>;
}

/**
 * Names that git allows, with suffixes for the parents and dates of a commit; no blanks, control characters, ranges or
 * files.
 */
const revisionPattern = /^[^-^\s:?*[\]\\\p{C}][^\s:?*[\]\\\p{C}]*$/u;

/**
 * Finds a git revision, without touching the working tree.
 *
 * @param root absolute path of the project, which may be in a larger repository
 * @throws OtsError `INVALID_GIT_REF`, `GIT_MISSING`, `NO_REPOSITORY`, `UNKNOWN_GIT_REF`
 */
export async function findRevision(revision: string, root: string, context: Context): Promise<GitRevision> {
  if (!revisionPattern.test(revision) || revision.includes('..')) {
    throw new OtsError('INVALID_GIT_REF', `${quoted(revision)} does not name a git revision`, {
      hint: 'Name a branch, a tag or a commit, for example origin/main, v1.2.0 or HEAD~1.',
    });
  }
  const git = gitIn(root, context);
  const commit = await resolve(git, revision);
  return { commit, read: (accepts) => readFiles(git, commit, accepts) };
}

async function resolve(git: Git, revision: string): Promise<string> {
  const inside = await git(['rev-parse', '--is-inside-work-tree']);
  if (inside.failed) {
    throw new OtsError('NO_REPOSITORY', `Cannot read this project's git repository: ${reasonOf(inside)}`, {
      hint: 'Run the command in a clone of the repository.',
    });
  }
  const found = await git(['rev-parse', '--verify', '--quiet', `${revision}^{commit}`]);
  if (!found.failed) return textOf(found.stdout).trim();
  throw new OtsError('UNKNOWN_GIT_REF', `${quoted(revision)} does not exist in the git repository`, {
    hint: 'Fetch it first, for example with git fetch --tags. In CI, check out the full history (fetch-depth: 0).',
  });
}

/** Reads all files with one call of git. */
async function readFiles(
  git: Git,
  commit: string,
  accepts: (path: string) => boolean,
): Promise<CommittedFile[]> {
  // Paths are relative to the project and end in NUL, so every name is unambiguous.
  const listed = await git(['ls-tree', '-r', '-z', commit]);
  if (listed.failed) throw new Error(reasonOf(listed));
  const entries = textOf(listed.stdout)
    .split('\0')
    .map((entry) => /^100\d+ blob (?<id>[0-9a-f]+)\t(?<path>.+)$/s.exec(entry)?.groups)
    .filter((entry) => entry !== undefined)
    .map(({ id = '', path = '' }) => ({ id, path }))
    .filter(({ path }) => accepts(path));
  if (entries.length === 0) return [];
  const batch = await git(['cat-file', '--batch'], entries.map(({ id }) => `${id}\n`).join(''));
  if (batch.failed) throw new Error(reasonOf(batch));
  return withContents(entries, Buffer.from(batch.stdout));
}

/** Git prints each object as a line that ends with its size, its content, and a newline. */
function withContents(entries: readonly { path: string }[], output: Buffer): CommittedFile[] {
  let at = 0;
  return entries.map(({ path }) => {
    const start = output.indexOf('\n', at) + 1;
    const size = Number(
      output
        .toString('utf8', at, start - 1)
        .split(' ')
        .at(-1),
    );
    at = start + size + 1;
    return { path, content: output.subarray(start, start + size) };
  });
}

function textOf(output: Uint8Array): string {
  return Buffer.from(output).toString('utf8');
}
