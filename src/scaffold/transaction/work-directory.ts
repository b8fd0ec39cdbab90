import { join, sep } from 'node:path';
import type { FileSystem } from '../file-system.ts';

/** The directory in a project for the lock and the journal while a command writes; removed afterwards. */
export const workDirectory = '.ots';

/** Absolute path of a file in the work directory of a project. */
export function workPath(root: string, ...parts: string[]): string {
  return [root, workDirectory, ...parts].join(sep);
}

/** Creates a directory if it does not exist. Another ots may create it, or remove it while empty, at the same time. */
export function ensureDirectory(fs: FileSystem, path: string): void {
  try {
    fs.makeDirectory(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Removes a directory of the work directory with its files, if it exists. */
export function removeFlatDirectory(fs: FileSystem, path: string): void {
  for (const name of fs.list(path)) fs.removeFile(join(path, name));
  removeIfEmpty(fs, path);
}

/** Removes a directory if it is empty. */
export function removeIfEmpty(fs: FileSystem, path: string): void {
  if (fs.kind(path) === undefined || fs.list(path).length > 0) return;
  try {
    fs.removeDirectory(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
  }
}
