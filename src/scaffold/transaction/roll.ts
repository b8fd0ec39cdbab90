import { OtsError } from '../../errors/ots-error.ts';
import type { FileSystem } from '../file-system.ts';
import { type Journal, type JournalEntry, fingerprint } from './journal.ts';
import { ensureDirectory, removeIfEmpty, workPath } from './work-directory.ts';

/** The current state of a file of a transaction. */
type Standing = 'before' | 'after' | 'foreign';

function standing(fs: FileSystem, entry: JournalEntry): Standing {
  const now = fingerprint(fs.read(entry.target));
  if (now === entry.after) return 'after';
  return now === entry.before ? 'before' : 'foreign';
}

/** Entries are applied in order, so all up to the last applied one are done, even if they changed since. */
function firstPending(fs: FileSystem, journal: Journal): number {
  return journal.entries.findLastIndex((entry) => standing(fs, entry) === 'after') + 1;
}

/** Whether the transaction can be completed: the files still to write are unchanged. */
export function canRollForward(fs: FileSystem, journal: Journal): boolean {
  return journal.entries.slice(firstPending(fs, journal)).every((entry) => standing(fs, entry) === 'before');
}

/**
 * Applies a transaction. Safe to call again after an interruption at any point.
 *
 * @param from the first entry to apply; default: the one after the last that was applied
 * @throws OtsError `CHANGED_MEANWHILE` if a file changed that it is about to replace
 */
export function rollForward(
  fs: FileSystem,
  root: string,
  journal: Journal,
  from = firstPending(fs, journal),
): void {
  for (const directory of journal.directories) ensureDirectory(fs, directory);
  for (let index = from; index < journal.entries.length; index++) {
    const entry = journal.entries[index] as JournalEntry;
    if (standing(fs, entry) !== 'before') throw changedMeanwhile(entry.target);
    if (entry.after === null) fs.removeFile(entry.target);
    else fs.rename(workPath(root, 'new', String(index)), entry.target);
  }
  for (const directory of journal.emptied) removeIfEmpty(fs, directory);
}

/**
 * Reverts a transaction. Safe to call again after an interruption at any point. Other changes since then stay.
 */
export function rollBack(fs: FileSystem, root: string, journal: Journal): void {
  for (const directory of journal.emptied.toReversed()) ensureDirectory(fs, directory);
  for (const [index, entry] of [...journal.entries.entries()].toReversed()) {
    if (standing(fs, entry) !== 'after') continue;
    if (entry.before === null) fs.removeFile(entry.target);
    else fs.rename(workPath(root, 'old', String(index)), entry.target);
  }
  for (const directory of journal.directories.toReversed()) removeIfEmpty(fs, directory);
}

function changedMeanwhile(path: string): OtsError {
  return new OtsError('CHANGED_MEANWHILE', `${path} changed while ots was working`, {
    hint: 'ots wrote nothing. Run the command again.',
  });
}
