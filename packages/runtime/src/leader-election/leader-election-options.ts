import type { Duration } from 'ots-kubernetes';
import { toMilliseconds } from '../duration/to-milliseconds.ts';
import { UsageError } from '../errors/usage-error.ts';

/**
 * How the replicas of an operator elect a leader. Names and defaults are those of controller-runtime, and so is the
 * Lease: operators in Go may compete for the same one.
 *
 * No write of work that needs the leadership leaves the process later than `renewDeadline` after the start of its last
 * successful renewal, also when the event loop was blocked or the process was frozen; after a suspend of the machine,
 * none leaves before the next renewal. What remains is a write that is on its way for longer than `leaseDuration -
 * renewDeadline`, a process that is frozen in the very moment of sending, a virtual machine that wakes up with both of
 * its clocks late, and a Lease that is deleted or edited while its holder works. Where that matters, write with the
 * `resourceVersion` that was read: the server refuses what comes too late.
 *
 * What counts as such work is all that a leader-elected reconciler, source, map function or runnable starts, timers
 * included. A callback that something else calls, such as a listener on a connection that was opened elsewhere, belongs
 * to that: make it with `AsyncResource.bind` of `node:async_hooks`. Events that were recorded before are not held back.
 */
export interface LeaderElectionOptions {
  /** The name of the Lease: the same for all replicas of an operator, and unique in its namespace. */
  id: string;
  /** Where the Lease is; by default the namespace of the connection, which in a pod is the pod's own. */
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
   * `leaseDuration`; true by default. It does so only when all work that needs the leadership has ended: a shutdown
   * that ran out of time leaves the Lease to expire. Pass false if other code of the program continues after
   * `manager.start` has returned and must not overlap with the next leader.
   */
  releaseOnStop?: boolean | undefined;
}

/** The times of an election, in milliseconds. */
export interface ElectionTiming {
  readonly leaseDuration: number;
  readonly renewDeadline: number;
  readonly retryPeriod: number;
}

/** Attempts to acquire are spread over the retry period and this much more, so replicas do not act in step. */
export const jitterFactor = 1.2;

/**
 * The times of an election with their defaults.
 * @throws {UsageError} if they conflict: a leader must give up before others take over, and have time for more than one
 *   attempt.
 */
export function electionTiming(options: LeaderElectionOptions): ElectionTiming {
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
