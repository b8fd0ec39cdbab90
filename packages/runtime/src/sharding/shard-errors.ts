import { RuntimeError } from '../errors/runtime-error.ts';

/**
 * This process no longer owns the shard of the object: another replica reconciles it. It is the reason of the signals of
 * the reconciles that this ends, and the error of their writes.
 */
export class ShardLostError extends RuntimeError {
  /** Stable; to branch on. */
  readonly code = 'SHARD_LOST';

  /** @param why what happened. */
  constructor(why: string) {
    super(`The shard was lost: ${why}`, 'End the reconcile: the new owner of the object reconciles it.');
  }
}

/**
 * The Lease of this process was not renewed in time, so another replica may be about to take over. Writes of sharded
 * reconciles throw this error until the next successful renewal.
 */
export class ShardUncertainError extends RuntimeError {
  /** Stable; to branch on. */
  readonly code = 'SHARD_UNCERTAIN';

  constructor(milliseconds: number) {
    super(
      `The Lease of this replica was last renewed ${Math.round(milliseconds / 1000)} s ago`,
      'Retry: the next renewal shows whether another replica has taken over.',
    );
  }
}
