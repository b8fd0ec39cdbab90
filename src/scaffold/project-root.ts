import { dirname, join } from 'node:path';
import { OtsError } from '../errors/ots-error.ts';
import type { FileSystem } from './file-system.ts';
import { needsRecovery } from './transaction/recover.ts';

/** The file that makes a directory a project. */
export const PROJECT_FILE = 'PROJECT';

/**
 * Finds the project that a directory belongs to: the nearest one upward with a PROJECT file, or with the journal of
 * an `ots init` that was killed before PROJECT was there.
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
    const kind = fs.kind(join(directory, PROJECT_FILE));
    // A folder of that name says nothing: on many disks it is also found as `project`.
    if ((kind !== undefined && kind !== 'directory') || needsRecovery(fs, directory)) return directory;
    if (dirname(directory) === directory) break;
  }
  throw new OtsError('NO_PROJECT', `There is no PROJECT file in ${start} or above`, {
    hint: 'Start a project with ots init, or go to one (or name it with --cwd).',
  });
}
