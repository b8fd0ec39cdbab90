import type { Change } from './change.ts';

/** What a command will do, complete and checked, before anything is written. */
export interface Plan {
  /** The command as the user typed it, without flags, for example `create api`. */
  readonly command: string;
  /** Absolute path of the project. */
  readonly root: string;
  readonly changes: readonly Change[];
  /** Files that the command made again with equal content. */
  readonly unchanged: readonly string[];
  /** One-line remarks about choices that the command made. */
  readonly notes: readonly string[];
  /** What the user may want to do next, one command or sentence each. */
  readonly nextSteps: readonly string[];
}

/** The changes that would overwrite what the author wrote. */
export function conflictsIn(changes: readonly Change[]): Change[] {
  return changes.filter(
    (change) => change.origin === 'scaffold' && change.action === 'update' && !change.forced,
  );
}
