import { dirname, join } from 'node:path';
import { OtsError } from '../errors/ots-error.ts';
import type { FileSystem } from './file-system.ts';
import { needsRecovery } from './transaction/recover.ts';

/** The file that makes a directory a project. */
export const projectFile = 'PROJECT';

/**
 * Finds the project of a directory: the nearest directory upward with a PROJECT file, or with the journal of an `ots init`
 * that was killed before it wrote PROJECT.
 *
 * @param from absolute path
 * @returns absolute path of the project, without symbolic links
 * @throws OtsError `NO_PROJECT`
 */
export function findProjectRoot(fs: FileSystem, from: string): string {
  if (fs.kind(from) === undefined) {
    throw new OtsError('NO_DIRECTORY', `${from} does not exist`, {
      hint: 'Name an existing directory with --cwd.',
    });
  }
  const start = fs.realPath(from);
  for (let directory = start; ; directory = dirname(directory)) {
    const kind = fs.kind(join(directory, projectFile));
    // A folder does not count: case-insensitive disks also find a folder `project`.
    if ((kind !== undefined && kind !== 'directory') || needsRecovery(fs, directory)) return directory;
    if (dirname(directory) === directory) break;
  }
  throw new OtsError(
    'NO_PROJECT',
    `${start} is not in a project: it has no PROJECT file, nor do its parents`,
    {
      hint: 'Start a project with ots init, or run the command in a project (or name it with --cwd).',
    },
  );
}
