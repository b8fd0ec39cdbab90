import { RuntimeError } from '../errors/runtime-error.ts';

/**
 * This process is the leader no more, or may not be: another replica may work by now. The reason of the signals of
 * leader-elected work, what a write of such work throws, and what `manager.start` rejects with.
 */
export class LeadershipLostError extends RuntimeError {
  /** Stable; to branch on. */
  readonly code = 'LEADERSHIP_LOST';

  /** @param why what happened, in words. */
  constructor(why: string, cause?: unknown) {
    super(
      `leadership was lost: ${why}`,
      'End the process, and let it be started anew; look for a slow API server or a blocked event loop.',
      cause,
    );
  }
}

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

/** This replica cannot take part in the election, however long it tries: a role or the namespace is missing. */
export class LeaseUnavailableError extends RuntimeError {
  readonly code = 'LEASE_UNAVAILABLE';
}
