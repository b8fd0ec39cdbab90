import { posix } from 'node:path';
import { OtsError } from '../../errors/ots-error.ts';
import { quoted } from '../../project/names/quoted.ts';
import { workDirectory } from '../../scaffold/transaction/work-directory.ts';

/** Directories in a project that belong to programs. */
const taken = new Set([workDirectory, '.git', 'node_modules']);

/**
 * The directory for the API reference as a project-relative path. The tree checks symbolic links on the way when files
 * are staged.
 *
 * @throws OtsError `INVALID_DOCS_DIRECTORY` if it is not inside the project, or belongs to a program
 */
export function docsDirectory(typed: string): string {
  const path = posix.normalize(typed.replaceAll('\\', '/')).replace(/\/$/, '');
  const [first = ''] = path.split('/');
  const isOutside =
    first === '..' || posix.isAbsolute(typed) || /^[A-Za-z]:/.test(path) || path.includes('\0');
  if (typed !== '' && !isOutside && path !== '.' && !taken.has(first)) return path;
  throw new OtsError('INVALID_DOCS_DIRECTORY', `${quoted(typed)} cannot contain the API reference`, {
    hint: 'Name a directory relative to the root of the project, for example docs/api.',
  });
}
