import { dirname, isAbsolute, relative, sep } from 'node:path';
import { OtsError } from '../errors/ots-error.ts';
import type { ReadableFileSystem } from './file-system.ts';

function outside(path: string): OtsError {
  return new OtsError('PATH_OUTSIDE_PROJECT', `${path} is outside the project`, {
    hint: 'Remove the symbolic link, or replace it with a real file or directory, and run the command again.',
  });
}

/**
 * The real paths of a project's files: follows symbolic links inside the project, so writing replaces the target of a link and
 * not the link. It looks at each file and directory once, so it must not outlive a step of a command.
 */
export class SafePaths {
  readonly #fs: ReadableFileSystem;
  readonly #root: string;
  readonly #entries = new Map<string, string>();
  readonly #directories = new Map<string, string>();

  /** @param root absolute path of the project, without symbolic links */
  constructor(fs: ReadableFileSystem, root: string) {
    this.#fs = fs;
    this.#root = root;
  }

  /**
   * @param path project-relative POSIX path
   * @returns absolute path
   * @throws OtsError `PATH_OUTSIDE_PROJECT` if the path, or a link on its way, leaves the project
   */
  resolve(path: string): string {
    const known = this.#entries.get(path);
    if (known !== undefined) return known;
    const parts = path.split('/');
    if (
      isAbsolute(path) ||
      parts.some((part) => part === '' || part === '.' || part === '..' || part.includes('\0'))
    ) {
      throw outside(path);
    }
    const name = parts.pop() as string;
    const real = this.#entry(this.#directory(parts, path), name, path);
    this.#entries.set(path, real);
    return real;
  }

  /** @param wanted the path that the user knows, for errors */
  #directory(parts: readonly string[], wanted: string): string {
    const name = parts.at(-1);
    if (name === undefined) return this.#root;
    const path = parts.join('/');
    const known = this.#directories.get(path);
    if (known !== undefined) return known;
    const real = this.#entry(this.#directory(parts.slice(0, -1), wanted), name, wanted);
    refuseNonDirectory(this.#fs, this.#root, real);
    this.#directories.set(path, real);
    return real;
  }

  #entry(directory: string, name: string, wanted: string): string {
    const path = `${directory}${sep}${name}`;
    return this.#fs.kind(path) === 'symlink' ? followLink(this.#fs, this.#root, path, wanted) : path;
  }
}

function refuseNonDirectory(fs: ReadableFileSystem, root: string, path: string): void {
  const kind = fs.kind(path);
  if (kind === undefined || kind === 'directory') return;
  const name = relative(root, path);
  throw new OtsError('NOT_A_DIRECTORY', `${name} is not a directory`, {
    hint: `Move ${name} out of the way and run the command again.`,
  });
}

function followLink(fs: ReadableFileSystem, root: string, link: string, path: string): string {
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
 * The directories to create before writing into a directory, outermost first.
 *
 * @param path absolute path of the directory
 */
export function missingDirectories(fs: ReadableFileSystem, path: string): string[] {
  const missing: string[] = [];
  for (let directory = path; fs.kind(directory) === undefined; directory = dirname(directory)) {
    missing.unshift(directory);
  }
  return missing;
}
