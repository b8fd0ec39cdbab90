import { RuntimeError } from '../errors/runtime-error.ts';

/**
 * The time of day has moved on by more than the renewal deadline while the process saw no time pass: the machine was
 * suspended, or somebody set its clock. Writes of leader-elected work throw it until the next successful renewal.
 */
export class LeadershipUncertainError extends RuntimeError {
  /** Stable; to branch on. */
  readonly code = 'LEADERSHIP_UNCERTAIN';

  constructor(milliseconds: number) {
    super(
      `the clock moved by ${Math.round(milliseconds / 1000)} s since the leadership was last renewed`,
      'Try again: the next renewal, within seconds, shows whether another replica has taken over.',
    );
  }
}
