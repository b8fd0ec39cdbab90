import { OtsError } from '../../errors/ots-error.ts';
import type { Change } from '../change.ts';
import type { FileSystem } from '../file-system.ts';
import { PROJECT_FILE } from '../project-root.ts';
import { missingDirectories, safePath } from '../safe-path.ts';
import { type Journal, contentHash, removeJournal, turnBack, writeJournal } from './journal.ts';
import type { Lock } from './lock.ts';
import { rollBack, rollForward } from './roll.ts';
import { ensureDirectory, workPath } from './work-directory.ts';

/**
 * Writes all changes or none. When this process fails at any point the tree is put back as it was; when it is killed
 * at any point, the next command does that, or completes the work (see recover.ts).
 *
 * @param changes the plan; its `before` contents must be what is on disk
 * @param lock the lock of the project, held by this process
 * @throws OtsError `WRITE_FAILED` when something cannot be written, `CHANGED_MEANWHILE` when a file changed since the
 *   plan was made; the tree is unchanged then
 */
export function applyChanges(fs: FileSystem, root: string, changes: readonly Change[], lock: Lock): void {
  if (changes.length === 0) return;
  // PROJECT is what makes the rest count, so it is written when all else stands.
  const ordered = changes.toSorted(
    (a, b) => Number(a.path === PROJECT_FILE) - Number(b.path === PROJECT_FILE),
  );
  const journal = journalOf(fs, root, ordered);
  try {
    stage(fs, root, ordered, journal);
    if (!lock.held) throw lockLost();
    writeJournal(fs, root, journal);
  } catch (error) {
    cleanUp(fs, root);
    throw writeFailed(error, 'Nothing was written.');
  }
  try {
    rollForward(fs, root, journal);
  } catch (error) {
    undo(fs, root, journal, error);
    throw writeFailed(error, 'All changes were taken back.');
  }
  cleanUp(fs, root);
}

/** What cannot be removed now does no harm: the next command removes it. */
function cleanUp(fs: FileSystem, root: string): void {
  try {
    removeJournal(fs, root);
  } catch {
    // The outcome is decided; failing here would only hide it.
  }
}

function journalOf(fs: FileSystem, root: string, changes: readonly Change[]): Journal {
  const targets = changes.map((change) => safePath(fs, root, change.path));
  const created = targets.filter((_, index) => changes[index]?.after);
  const removed = changes.filter((change) => change.action === 'delete');
  return {
    entries: changes.map((change, index) => ({
      target: targets[index] as string,
      before: contentHash(change.before),
      after: contentHash(change.after),
    })),
    directories: [...new Set(created.flatMap((target) => missingDirectories(fs, target)))],
    emptied: [...new Set(removed.flatMap((change) => parentsOf(change.path)))]
      .toSorted((a, b) => b.length - a.length)
      .map((directory) => safePath(fs, root, directory)),
  };
}

function stage(fs: FileSystem, root: string, changes: readonly Change[], journal: Journal): void {
  for (const name of ['new', 'old']) ensureDirectory(fs, workPath(root, name));
  for (const [index, change] of changes.entries()) {
    const mode = fs.mode(journal.entries[index]?.target as string) ?? change.mode;
    if (change.after) fs.write(workPath(root, 'new', String(index)), change.after, mode);
    if (change.before) fs.write(workPath(root, 'old', String(index)), change.before, mode);
  }
}

/** The directories of a removed file, innermost first: a move leaves them behind. */
function parentsOf(path: string): string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, parts.length - 1 - index).join('/'));
}

function undo(fs: FileSystem, root: string, journal: Journal, reason: unknown): void {
  try {
    turnBack(fs, root);
    rollBack(fs, root, journal);
    cleanUp(fs, root);
  } catch {
    throw new OtsError(
      'ROLLBACK_FAILED',
      `Writing failed (${messageOf(reason)}), and so did taking it back`,
      {
        hint: 'Mend what keeps files from being written; the next ots command takes the rest back.',
        cause: reason,
      },
    );
  }
}

function lockLost(): OtsError {
  return new OtsError('LOCK_LOST', 'The lock of the project was removed while ots was at work', {
    hint: 'Run the command again.',
  });
}

function writeFailed(error: unknown, outcome: string): OtsError {
  if (error instanceof OtsError) return error;
  return new OtsError('WRITE_FAILED', `The project could not be written: ${messageOf(error)}`, {
    hint: `${outcome} Check free space and permissions, and run the command again.`,
    cause: error,
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
