import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  fsync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { promisify } from 'node:util';

/** The file operations of a data directory, so tests can make each of them fail. All throw the error of the operating system. */
export interface Disk {
  /** Creates a directory that only its owner can access, and the directories above it. Does nothing if it exists. */
  makeDirectory(path: string): void;
  /** The names in a directory, sorted. */
  list(directory: string): string[];
  read(path: string): Buffer;
  /** Creates an empty file that only its owner can access, or empties an existing one. @returns its descriptor */
  create(path: string): number;
  /** Writes at a position. @returns the number of bytes written, which may be fewer than all */
  write(file: number, bytes: Uint8Array, position: number): number;
  truncate(file: number, length: number): void;
  /** Waits until the content is on the disk. */
  syncNow(file: number): void;
  sync(file: number): Promise<void>;
  /** Waits until the names in a directory are on the disk. */
  syncDirectory(path: string): Promise<void>;
  close(file: number): void;
  /** Replaces an existing file at `to` atomically. */
  rename(from: string, to: string): void;
  /** Removes a file if it exists. */
  remove(path: string): void;
}

const fdatasyncLater = promisify(fdatasync);
const fsyncLater = promisify(fsync);

/** The disk of the machine. */
export const machineDisk: Disk = {
  makeDirectory: (path) => mkdirSync(path, { recursive: true, mode: 0o700 }),
  list: (directory) => readdirSync(directory).toSorted(),
  read: (path) => readFileSync(path),
  create: (path) => openSync(path, 'w', 0o600),
  write: (file, bytes, position) => writeSync(file, bytes, 0, bytes.length, position),
  truncate: (file, length) => ftruncateSync(file, length),
  syncNow: (file) => fdatasyncSync(file),
  sync: (file) => fdatasyncLater(file),
  async syncDirectory(path) {
    const directory = openSync(path, 'r');
    try {
      await fsyncLater(directory);
    } finally {
      closeSync(directory);
    }
  },
  close: (file) => closeSync(file),
  rename: (from, to) => renameSync(from, to),
  remove: (path) => rmSync(path, { force: true }),
};

/** Writes all bytes at a position, however many the disk takes at a time. */
export function writeAll(disk: Disk, file: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length;) done += disk.write(file, bytes.subarray(done), position + done);
}
