import { posix } from 'node:path';
import { OtsError } from '../../errors/ots-error.ts';
import { quoted } from '../../project/names/quoted.ts';
import { workDirectory } from '../../scaffold/transaction/work-directory.ts';

/** Directories in a project that belong to programs or to the sources. */
const taken = new Set([workDirectory, '.git', 'node_modules', 'config', 'src']);

/**
 * The directory for the bundle as a project-relative path. The tree checks symbolic links on the way when files are staged.
 *
 * @throws OtsError `INVALID_BUNDLE_DIRECTORY` if it is not inside the project, belongs to something else, or cannot be in a Dockerfile
 */
export function bundleDirectory(typed: string): string {
  const path = posix.normalize(typed.replaceAll('\\', '/')).replace(/\/$/, '');
  const [first = ''] = path.split('/');
  const isInside = first !== '..' && !posix.isAbsolute(path) && path !== '.' && typed !== '';
  if (isInside && !taken.has(first) && /^[\w./@+-]+$/.test(path) && !path.startsWith('-')) return path;
  throw new OtsError('INVALID_BUNDLE_DIRECTORY', `${quoted(typed)} cannot be the directory of the bundle`, {
    hint: 'Name a directory relative to the root of the project, without blanks, for example bundle.',
  });
}
