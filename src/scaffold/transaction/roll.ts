import { OtsError } from '../../errors/ots-error.ts';
import type { FileSystem } from '../file-system.ts';
import { type Journal, type JournalEntry, contentHash } from './journal.ts';
import { ensureDirectory, removeIfEmpty, workPath } from './work-directory.ts';

/** Where a file of a transaction stands now. */
type Standing = 'before' | 'after' | 'foreign';

function standing(fs: FileSystem, entry: JournalEntry): Standing {
  const now = contentHash(fs.read(entry.target));
  if (now === entry.after) return 'after';
  return now === entry.before ? 'before' : 'foreign';
}

/** Entries are carried out in order, so all up to the last one that stands are done, whatever became of them since. */
function firstPending(fs: FileSystem, journal: Journal): number {
  return journal.entries.findLastIndex((entry) => standing(fs, entry) === 'after') + 1;
}

/** Whether nobody else changed what is still to be written, so that the transaction can be completed. */
export function canRollForward(fs: FileSystem, journal: Journal): boolean {
  return journal.entries.slice(firstPending(fs, journal)).every((entry) => standing(fs, entry) === 'before');
}

/**
 * Carries a transaction out. May be called again after it was interrupted anywhere.
 *
 * @throws OtsError `CHANGED_MEANWHILE` when somebody else changed a file that is about to be replaced
 */
export function rollForward(fs: FileSystem, root: string, journal: Journal): void {
  for (const directory of journal.directories) ensureDirectory(fs, directory);
  for (let index = firstPending(fs, journal); index < journal.entries.length; index++) {
    const entry = journal.entries[index] as JournalEntry;
    if (standing(fs, entry) !== 'before') throw changedMeanwhile(entry.target);
    if (entry.after === null) fs.removeFile(entry.target);
    else fs.rename(workPath(root, 'new', String(index)), entry.target);
  }
  for (const directory of journal.emptied) removeIfEmpty(fs, directory);
}

/**
 * Takes a transaction back. May be called again after it was interrupted anywhere. What somebody else changed in the
 * meantime stays as it is.
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
  return new OtsError('CHANGED_MEANWHILE', `${path} changed while ots was at work`, {
    hint: 'Nothing was written. Run the command again.',
  });
}
