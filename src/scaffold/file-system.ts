import fs from 'node:fs';

/**
 * The file operations that a scaffold needs. Everything that ots changes on disk goes through one of these, so that
 * a test can fail, or kill the process, at each of them.
 */
export interface FileSystem {
  /** The content of a file, or undefined when nothing is there. */
  read(path: string): Buffer | undefined;
  /** What is at a path, without following a symbolic link in its last part. */
  kind(path: string): 'file' | 'directory' | 'symlink' | 'other' | undefined;
  /** Permission bits of a file (for example 0o755), or undefined when nothing is there. */
  mode(path: string): number | undefined;
  /** The path with every symbolic link resolved. @throws when it does not exist */
  realPath(path: string): string;
  /** Names in a directory, sorted; empty when it does not exist. */
  list(path: string): string[];
  /** Writes a file, replacing one that is there. */
  write(path: string, content: Buffer, mode: number): void;
  /** Makes one directory; its parent must exist. */
  makeDirectory(path: string): void;
  /** Renames a file or directory; an existing file at `to` is replaced in one step. */
  rename(from: string, to: string): void;
  /** Removes a file; nothing happens when it is gone already. */
  removeFile(path: string): void;
  /** Removes an empty directory; nothing happens when it is gone already. */
  removeDirectory(path: string): void;
}

function unlessMissing<T>(operation: () => T): T | undefined {
  try {
    return operation();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** The file system of the machine. */
export const diskFileSystem: FileSystem = {
  read: (path) => unlessMissing(() => fs.readFileSync(path)),
  kind(path) {
    const stats = unlessMissing(() => fs.lstatSync(path));
    if (!stats) return undefined;
    if (stats.isFile()) return 'file';
    if (stats.isDirectory()) return 'directory';
    return stats.isSymbolicLink() ? 'symlink' : 'other';
  },
  mode: (path) => {
    const stats = unlessMissing(() => fs.statSync(path));
    return stats && stats.mode & 0o777;
  },
  realPath: (path) => fs.realpathSync(path),
  list: (path) => (unlessMissing(() => fs.readdirSync(path)) ?? []).toSorted(),
  write: (path, content, mode) => fs.writeFileSync(path, content, { mode }),
  makeDirectory: (path) => fs.mkdirSync(path),
  rename: (from, to) => fs.renameSync(from, to),
  removeFile: (path) => unlessMissing(() => fs.unlinkSync(path)),
  removeDirectory: (path) => unlessMissing(() => fs.rmdirSync(path)),
};
