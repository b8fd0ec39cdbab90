import type { Duration } from 'ots-kubernetes';
import { toMilliseconds } from '../duration/to-milliseconds.ts';
import { UsageError } from '../errors/usage-error.ts';

/**
 * How the replicas of an operator elect a leader. The names, the defaults and the Lease are those of
 * controller-runtime: operators in Go may compete for the same Lease.
 *
 * No write of work that needs leadership leaves the process later than `renewDeadline` after the start of the last
 * successful renewal, even if the event loop was blocked or the process was frozen; after the machine was suspended, no
 * write leaves before the next renewal. The remaining risks are a write that is in flight for longer than
 * `leaseDuration - renewDeadline`, a process that freezes at the very moment of sending, a virtual machine that resumes
 * with both of its clocks behind, and a Lease that is deleted or edited while its holder works. Where that matters,
 * write with the `resourceVersion` that was read: the server refuses a late write.
 *
 * Such work is everything that a leader-elected reconciler, source, map function or runnable starts, including timers.
 * A callback that other code calls, such as a listener on a connection that was opened elsewhere, belongs to that code:
 * wrap it with `AsyncResource.bind` of `node:async_hooks`. Events that were recorded earlier are not held back.
 */
export interface LeaderElectionOptions {
  /** The name of the Lease: the same for all replicas of an operator, and unique in its namespace. */
  id: string;
  /** The namespace of the Lease; by default that of the connection, which in a pod is the pod's. */
  namespace?: string | undefined;
  /** The name of this replica in the Lease, unique to the process; `<host name>_<uuid>` by default. */
  identity?: string | undefined;
  /**
   * How long the other replicas wait before they take over from a leader that does not renew; `'15s'` by default.
   * Rounded up to whole seconds in the Lease.
   */
  leaseDuration?: Duration | number | undefined;
  /** How long the leader may go without a successful renewal before it gives up; `'10s'` by default. */
  renewDeadline?: Duration | number | undefined;
  /** The time between two renewals, and between two attempts to become the leader; `'2s'` by default. */
  retryPeriod?: Duration | number | undefined;
  /**
   * Whether a stopping manager releases the Lease: another replica then takes over at once instead of after
   * `leaseDuration`; true by default. It does so only when all work that needs leadership has ended: if the shutdown
   * times out, the Lease expires instead. Pass false if other code of the program continues after `manager.start` has
   * returned and must not overlap with the next leader.
   */
  releaseOnStop?: boolean | undefined;
}

/** The times of an election, in milliseconds. */
export interface ElectionTiming {
  readonly leaseDuration: number;
  readonly renewDeadline: number;
  readonly retryPeriod: number;
}

/** Attempts to acquire wait one to 1 + this many retry periods, so replicas do not act in lockstep. */
export const jitterFactor = 1.2;

/**
 * Returns the times of an election with their defaults.
 * @throws {UsageError} if they conflict: a leader must give up before others take over, and must have time for more
 *   than one attempt.
 */
export function electionTiming(options: Pick<LeaderElectionOptions, keyof ElectionTiming>): ElectionTiming {
  const leaseDuration = toMilliseconds(options.leaseDuration ?? '15s');
  const renewDeadline = toMilliseconds(options.renewDeadline ?? '10s');
  const retryPeriod = toMilliseconds(options.retryPeriod ?? '2s');
  if (leaseDuration <= renewDeadline) {
    throw new UsageError(
      `leaseDuration (${leaseDuration} ms) is not longer than renewDeadline (${renewDeadline} ms)`,
      'A leader must give up before others take over; the defaults are 15 s and 10 s.',
    );
  }
  if (retryPeriod <= 0 || renewDeadline <= retryPeriod * jitterFactor) {
    throw new UsageError(
      `retryPeriod (${retryPeriod} ms) does not fit into renewDeadline (${renewDeadline} ms)`,
      `renewDeadline must be longer than ${jitterFactor} times a retryPeriod above 0; the defaults are 10 s and 2 s.`,
    );
  }
  return { leaseDuration, renewDeadline, retryPeriod };
}
