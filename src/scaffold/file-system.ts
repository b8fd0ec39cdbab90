import {
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmdirSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';

/** What scaffolding reads. */
export interface ReadableFileSystem {
  /** The content of a file; undefined if it does not exist. */
  read(path: string): Buffer | undefined;
  /** The kind of entry at a path, without following a symbolic link in its last part. */
  kind(path: string): 'file' | 'directory' | 'symlink' | 'other' | undefined;
  /** Permission bits of a file (for example 0o755); undefined if it does not exist. */
  mode(path: string): number | undefined;
  /** The path with every symbolic link resolved. @throws if it does not exist */
  realPath(path: string): string;
  /** Names in a directory, sorted; empty if it does not exist. */
  list(path: string): string[];
}

/**
 * The file operations of scaffolding. Every change that ots makes on disk is one of these, so tests can inject a failure
 * or kill the process at each of them.
 */
export interface FileSystem extends ReadableFileSystem {
  /** Writes a file and replaces an existing one. */
  write(path: string, content: Buffer, mode: number): void;
  /** Creates one directory; its parent must exist. */
  makeDirectory(path: string): void;
  /** Renames a file or directory; replaces an existing file at `to` atomically. */
  rename(from: string, to: string): void;
  /** Removes a file if it exists. */
  removeFile(path: string): void;
  /** Removes an empty directory if it exists. */
  removeDirectory(path: string): void;
}

/** Where Node can say it without an error, the operation should: an error costs more than the call. */
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
  read: (path) => unlessMissing(() => readFileSync(path)),
  kind(path) {
    const stats = unlessMissing(() => lstatSync(path, { throwIfNoEntry: false }));
    if (!stats) return undefined;
    if (stats.isFile()) return 'file';
    if (stats.isDirectory()) return 'directory';
    return stats.isSymbolicLink() ? 'symlink' : 'other';
  },
  mode: (path) => {
    const stats = unlessMissing(() => statSync(path, { throwIfNoEntry: false }));
    return stats && stats.mode & 0o777;
  },
  realPath: (path) => realpathSync(path),
  list: (path) => (unlessMissing(() => readdirSync(path)) ?? []).toSorted(),
  write: (path, content, mode) => writeFileSync(path, content, { mode }),
  makeDirectory: (path) => mkdirSync(path),
  rename: (from, to) => renameSync(from, to),
  removeFile: (path) => unlessMissing(() => unlinkSync(path)),
  removeDirectory: (path) => unlessMissing(() => rmdirSync(path)),
};
