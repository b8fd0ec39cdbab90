import { RuntimeError } from '../errors/runtime-error.ts';

/**
 * This process is no longer the leader, or may no longer be: another replica may already be working. It is the reason
 * of the signals of leader-elected work, and the error of writes of such work and of `manager.start`.
 */
export class LeadershipLostError extends RuntimeError {
  /** Stable; to branch on. */
  readonly code = 'LEADERSHIP_LOST';

  /** @param why what happened. */
  constructor(why: string, cause?: unknown) {
    super(
      `Leadership was lost: ${why}`,
      'End the process and let it restart; look for a slow API server or a blocked event loop.',
      cause,
    );
  }
}

/**
 * The wall clock has advanced by more than the renewal deadline while the monotonic clock has not: the machine was
 * suspended, or its clock was set. Writes of leader-elected work throw this error until the next successful renewal.
 */
export class LeadershipUncertainError extends RuntimeError {
  /** Stable; to branch on. */
  readonly code = 'LEADERSHIP_UNCERTAIN';

  constructor(milliseconds: number) {
    super(
      `The clock moved by ${Math.round(milliseconds / 1000)} s since the leadership was last renewed`,
      'Retry: the next renewal, within seconds, shows whether another replica has taken over.',
    );
  }
}

/** This replica cannot take part in the election, however long it tries: a permission or the namespace is missing. */
export class LeaseUnavailableError extends RuntimeError {
  readonly code = 'LEASE_UNAVAILABLE';
}
