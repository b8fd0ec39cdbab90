import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { OtsError } from '../errors/ots-error.ts';
import type { FileSystem } from './file-system.ts';

function outside(path: string): OtsError {
  return new OtsError('PATH_OUTSIDE_PROJECT', `${path} is outside the project`, {
    hint: 'Remove the symbolic link, or replace it with a real file or directory, and run the command again.',
  });
}

/**
 * The real path of a project file: follows symbolic links inside the project, so writing replaces the target of a link
 * and not the link.
 *
 * @param root absolute path of the project, without symbolic links
 * @param path project-relative POSIX path
 * @returns absolute path
 * @throws OtsError `PATH_OUTSIDE_PROJECT` if the path, or a link on its way, leaves the project
 */
export function safePath(fs: FileSystem, root: string, path: string): string {
  const parts = path.split('/');
  if (
    isAbsolute(path) ||
    parts.some((part) => part === '' || part === '.' || part === '..' || part.includes('\0'))
  ) {
    throw outside(path);
  }
  let current = root;
  for (const [index, part] of parts.entries()) {
    current = join(current, part);
    if (fs.kind(current) === 'symlink') current = followLink(fs, root, current, path);
    if (index < parts.length - 1) refuseNonDirectory(fs, root, current);
  }
  return current;
}

function refuseNonDirectory(fs: FileSystem, root: string, path: string): void {
  const kind = fs.kind(path);
  if (kind === undefined || kind === 'directory') return;
  const name = relative(root, path);
  throw new OtsError('NOT_A_DIRECTORY', `${name} is not a directory`, {
    hint: `Move ${name} out of the way and run the command again.`,
  });
}

function followLink(fs: FileSystem, root: string, link: string, path: string): string {
  let target: string;
  try {
    target = fs.realPath(link);
  } catch (cause) {
    throw new OtsError('DANGLING_LINK', `${path} contains a broken symbolic link`, {
      hint: `Remove or fix the link ${relative(root, link)} and run the command again.`,
      cause,
    });
  }
  if (target !== root && !target.startsWith(root + sep)) throw outside(path);
  return target;
}

/**
 * The directories to create before writing a file, outermost first.
 *
 * @param file absolute path of a file
 */
export function missingDirectories(fs: FileSystem, file: string): string[] {
  const missing: string[] = [];
  for (let directory = dirname(file); fs.kind(directory) === undefined; directory = dirname(directory)) {
    missing.unshift(directory);
  }
  return missing;
}
