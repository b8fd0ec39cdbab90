import type { Change } from './change.ts';

/** The complete and checked changes of a command, before it writes any of them. */
export interface Plan {
  /** The command as the user typed it, without flags, for example `create api`. */
  readonly command: string;
  /** Absolute path of the project. */
  readonly root: string;
  readonly changes: readonly Change[];
  /** Files that the command generated again with equal content. */
  readonly unchanged: readonly string[];
  /** Notes about choices of the command, one line each. */
  readonly notes: readonly string[];
  /** Suggestions for the user's next steps, one command or sentence each. */
  readonly nextSteps: readonly string[];
}

/** The changes that would overwrite content of the author. */
export function conflictsIn(changes: readonly Change[]): Change[] {
  return changes.filter(
    (change) => change.origin === 'scaffold' && change.action === 'update' && !change.forced,
  );
}
