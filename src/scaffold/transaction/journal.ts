import { createHash } from 'node:crypto';
import type { FileSystem } from '../file-system.ts';
import { removeFlatDirectory, workPath } from './work-directory.ts';

/** One file of a transaction, as the journal holds it. */
export interface JournalEntry {
  /** Absolute path of the file. */
  readonly target: string;
  /** SHA-256 of the content before and after; null where the file is not there. */
  readonly before: string | null;
  readonly after: string | null;
}

/**
 * What a command is about to do. From the moment the journal stands in the work directory the transaction is decided:
 * whoever finds it carries it out (`forward`) or takes it back (`back`), in any number of attempts.
 *
 * The new content of entry N lies in `new/N`, the old one in `old/N`.
 */
export interface Journal {
  readonly entries: readonly JournalEntry[];
  /** Absolute paths of the directories that the transaction makes, outermost first. */
  readonly directories: readonly string[];
  /** Absolute paths of the directories that may be empty afterwards and are removed then, innermost first. */
  readonly emptied: readonly string[];
}

export type Direction = 'forward' | 'back';

const FILES: Record<Direction, string> = { forward: 'journal.json', back: 'rollback.json' };

/** The content hash that tells whether a file is as it was. */
export function contentHash(content: Buffer | undefined): string | null {
  return content === undefined ? null : createHash('sha256').update(content).digest('hex');
}

/** Decides a transaction: the journal appears in one step. */
export function writeJournal(fs: FileSystem, root: string, journal: Journal): void {
  const temporary = workPath(root, 'journal.tmp');
  fs.write(temporary, Buffer.from(JSON.stringify(journal)), 0o644);
  fs.rename(temporary, workPath(root, FILES.forward));
}

/** The undecided work that a command left behind, if any. */
export function readJournal(
  fs: FileSystem,
  root: string,
): { journal: Journal; direction: Direction } | undefined {
  for (const direction of ['back', 'forward'] as const) {
    const content = fs.read(workPath(root, FILES[direction]));
    if (content) return { journal: JSON.parse(content.toString('utf8')) as Journal, direction };
  }
  return undefined;
}

/** From here on the transaction is taken back, whoever goes on with it. */
export function turnBack(fs: FileSystem, root: string): void {
  fs.rename(workPath(root, FILES.forward), workPath(root, FILES.back));
}

/** Ends a transaction: once the journal is gone, the rest is litter. */
export function removeJournal(fs: FileSystem, root: string): void {
  for (const name of [FILES.forward, FILES.back, 'journal.tmp']) fs.removeFile(workPath(root, name));
  removeFlatDirectory(fs, workPath(root, 'new'));
  removeFlatDirectory(fs, workPath(root, 'old'));
}
