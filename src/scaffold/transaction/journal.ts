import type { FileSystem } from '../file-system.ts';
import { removeFlatDirectory, workPath } from './work-directory.ts';

/** One file of a transaction, as in the journal. */
export interface JournalEntry {
  /** Absolute path of the file. */
  readonly target: string;
  /** {@link fingerprint} of the content before and after; null if the file does not exist. */
  readonly before: string | null;
  readonly after: string | null;
}

/**
 * The changes that a command is about to make. Once the journal is in the work directory, the transaction is decided: a
 * process that finds it rolls it forward or back, in any number of attempts.
 *
 * `new/N` has the new content of entry N, `old/N` the old content.
 */
export interface Journal {
  readonly entries: readonly JournalEntry[];
  /** Absolute paths of the directories that the transaction creates, outermost first. */
  readonly directories: readonly string[];
  /** Absolute paths of directories to remove if they are empty afterwards, innermost first. */
  readonly emptied: readonly string[];
}

export type Direction = 'forward' | 'back';

const files: Record<Direction, string> = { forward: 'journal.json', back: 'rollback.json' };

/**
 * Identifies a file's content, to detect changes: its length and 64 bits of two multiplicative hashes. Nothing here defends against
 * forged contents, and loading `node:crypto` takes longer than all that a small command writes.
 *
 * @returns null if the file does not exist
 */
export function fingerprint(content: Buffer | undefined): string | null {
  if (content === undefined) return null;
  const words = new Int32Array(Math.ceil(content.length / 4));
  new Uint8Array(words.buffer).set(content);
  let [a, b] = [0xdeadbeef, 0x41c6ce57];
  for (let index = 0; index < words.length; index++) {
    const word = words[index] as number;
    a = Math.imul((a << 13) ^ (a >>> 19) ^ word, 0x9e3779b1);
    b = Math.imul((b << 5) ^ (b >>> 27) ^ word, 0x5f356495);
  }
  return [content.length, a >>> 0, b >>> 0].map((part) => part.toString(36)).join('_');
}

/** Decides a transaction: the journal appears atomically. */
export function writeJournal(fs: FileSystem, root: string, journal: Journal): void {
  const temporary = workPath(root, 'journal.tmp');
  fs.write(temporary, Buffer.from(JSON.stringify(journal)), 0o644);
  fs.rename(temporary, workPath(root, files.forward));
}

/** The unfinished transaction of an earlier command, if any. */
export function readJournal(
  fs: FileSystem,
  root: string,
): { journal: Journal; direction: Direction } | undefined {
  for (const direction of ['back', 'forward'] as const) {
    const content = fs.read(workPath(root, files[direction]));
    if (content) return { journal: JSON.parse(content.toString('utf8')) as Journal, direction };
  }
  return undefined;
}

/** From now on, every process rolls the transaction back. */
export function turnBack(fs: FileSystem, root: string): void {
  fs.rename(workPath(root, files.forward), workPath(root, files.back));
}

/** Ends a transaction: without the journal, the rest is garbage. */
export function removeJournal(fs: FileSystem, root: string): void {
  for (const name of [files.forward, files.back, 'journal.tmp']) fs.removeFile(workPath(root, name));
  removeFlatDirectory(fs, workPath(root, 'new'));
  removeFlatDirectory(fs, workPath(root, 'old'));
}
