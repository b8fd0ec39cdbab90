import { join } from 'node:path';
import type { FileSystem } from '../file-system.ts';

/** The directory in a project that holds the lock and the journal while a command writes. It is gone afterwards. */
export const WORK_DIRECTORY = '.ots';

/** Absolute path of something in the work directory of a project. */
export function workPath(root: string, ...parts: string[]): string {
  return join(root, WORK_DIRECTORY, ...parts);
}

/** Makes a directory if it is not there; another ots may make it, or remove the empty one, at the same moment. */
export function ensureDirectory(fs: FileSystem, path: string): void {
  try {
    fs.makeDirectory(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Removes a directory of the work directory with the files in it; nothing happens when it is not there. */
export function removeFlatDirectory(fs: FileSystem, path: string): void {
  for (const name of fs.list(path)) fs.removeFile(join(path, name));
  removeIfEmpty(fs, path);
}

/** Removes a directory if it is empty; one that is in use stays. */
export function removeIfEmpty(fs: FileSystem, path: string): void {
  if (fs.kind(path) === undefined || fs.list(path).length > 0) return;
  try {
    fs.removeDirectory(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
  }
}
