import { createHash } from 'node:crypto';
import type { FileSystem } from '../file-system.ts';
import { removeFlatDirectory, workPath } from './work-directory.ts';

/** One file of a transaction, as in the journal. */
export interface JournalEntry {
  /** Absolute path of the file. */
  readonly target: string;
  /** SHA-256 of the content before and after; null if the file does not exist. */
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

/** The hash of a file's content, to detect changes. */
export function contentHash(content: Buffer | undefined): string | null {
  return content === undefined ? null : createHash('sha256').update(content).digest('hex');
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
