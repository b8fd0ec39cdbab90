import type { FileSystem } from '../file-system.ts';
import { readJournal, removeJournal, turnBack } from './journal.ts';
import { canRollForward, rollBack, rollForward } from './roll.ts';

/** What {@link recover} found and did. */
export type Recovery = 'nothing' | 'completed' | 'undone';

/** Whether a command was killed while writing to this project. */
export function needsRecovery(fs: FileSystem, root: string): boolean {
  return readJournal(fs, root) !== undefined;
}

/**
 * Finishes the transaction of a killed command: completes its changes if all files are as it left them, and reverts them
 * if the author has changed files since (the author's changes stay). The caller must own the lock.
 */
export function recover(fs: FileSystem, root: string): Recovery {
  const found = readJournal(fs, root);
  const forward = found?.direction === 'forward' && canRollForward(fs, found.journal);
  if (found && forward) rollForward(fs, root, found.journal);
  if (found && !forward) {
    if (found.direction === 'forward') turnBack(fs, root);
    rollBack(fs, root, found.journal);
  }
  removeJournal(fs, root);
  if (!found) return 'nothing';
  return forward ? 'completed' : 'undone';
}
