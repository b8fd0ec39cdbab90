import { dirname } from 'node:path';
import { OtsError } from '../../errors/ots-error.ts';
import type { Change } from '../change.ts';
import type { FileSystem } from '../file-system.ts';
import { projectFile } from '../project-root.ts';
import { SafePaths, missingDirectories } from '../safe-path.ts';
import { type Journal, fingerprint, removeJournal, turnBack, writeJournal } from './journal.ts';
import type { Lock } from './lock.ts';
import { rollBack, rollForward } from './roll.ts';
import { ensureDirectory, workPath } from './work-directory.ts';

/**
 * Writes all changes or none. If writing fails at any point, it restores the project; if the process is killed at any
 * point, the next command restores the project or completes the changes (see recover.ts).
 *
 * @param changes the plan; its `before` contents must equal the disk
 * @param lock the lock of the project, owned by this process
 * @throws OtsError `WRITE_FAILED` if writing fails, `CHANGED_MEANWHILE` if a file changed since the plan was made; the
 *   project is unchanged in both cases
 */
export function applyChanges(fs: FileSystem, root: string, changes: readonly Change[], lock: Lock): void {
  if (changes.length === 0) return;
  // PROJECT makes the other files count, so it comes last.
  const ordered = changes.toSorted((a, b) => Number(a.path === projectFile) - Number(b.path === projectFile));
  const journal = journalOf(fs, root, ordered);
  try {
    stage(fs, root, ordered, journal);
    if (!lock.held) throw lockLost();
    writeJournal(fs, root, journal);
  } catch (error) {
    cleanUp(fs, root);
    throw writeFailed(error, 'ots wrote nothing.');
  }
  try {
    rollForward(fs, root, journal, 0);
  } catch (error) {
    undo(fs, root, journal, error);
    throw writeFailed(error, 'ots reverted all changes.');
  }
  cleanUp(fs, root);
}

/** Leftovers are harmless: the next command removes them. */
function cleanUp(fs: FileSystem, root: string): void {
  try {
    removeJournal(fs, root);
  } catch {
    // The outcome is certain; an error here would only hide it.
  }
}

function journalOf(fs: FileSystem, root: string, changes: readonly Change[]): Journal {
  const paths = new SafePaths(fs, root);
  const targets = changes.map((change) => paths.resolve(change.path));
  const created = targets.filter((_, index) => changes[index]?.after);
  const removed = changes.filter((change) => change.action === 'delete');
  return {
    entries: changes.map((change, index) => ({
      target: targets[index] as string,
      before: fingerprint(change.before),
      after: fingerprint(change.after),
    })),
    directories: [
      ...new Set([...new Set(created.map(dirname))].flatMap((path) => missingDirectories(fs, path))),
    ],
    emptied: [...new Set(removed.flatMap((change) => parentsOf(change.path)))]
      .toSorted((a, b) => b.length - a.length)
      .map((directory) => paths.resolve(directory)),
  };
}

function stage(fs: FileSystem, root: string, changes: readonly Change[], journal: Journal): void {
  for (const name of ['new', 'old']) ensureDirectory(fs, workPath(root, name));
  for (const [index, change] of changes.entries()) {
    const mode = (change.before && fs.mode(journal.entries[index]?.target as string)) ?? change.mode;
    if (change.after) fs.write(workPath(root, 'new', String(index)), change.after, mode);
    if (change.before) fs.write(workPath(root, 'old', String(index)), change.before, mode);
  }
}

/** The directories of a removed file, innermost first: a move may leave them empty. */
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
      `Writing failed (${messageOf(reason)}), and reverting it failed too`,
      {
        hint: 'Fix what prevents writing. The next ots command reverts the rest.',
        cause: reason,
      },
    );
  }
}

function lockLost(): OtsError {
  return new OtsError('LOCK_LOST', 'Another process removed the lock of the project while ots was working', {
    hint: 'Run the command again.',
  });
}

function writeFailed(error: unknown, outcome: string): OtsError {
  if (error instanceof OtsError) return error;
  return new OtsError('WRITE_FAILED', `Cannot write the project: ${messageOf(error)}`, {
    hint: `${outcome} Check free space and permissions, and run the command again.`,
    cause: error,
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
