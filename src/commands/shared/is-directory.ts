import type { FileSystem } from '../../scaffold/file-system.ts';

/** Whether a path is a directory, or a symbolic link to one. */
export function isDirectory(fs: FileSystem, path: string): boolean {
  try {
    return fs.kind(fs.realPath(path)) === 'directory';
  } catch {
    return false;
  }
}
