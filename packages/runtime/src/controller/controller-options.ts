import type { Duration } from 'ots-kubernetes';
import { toMilliseconds } from '../duration/to-milliseconds.ts';
import { UsageError } from '../errors/usage-error.ts';
import type { RateLimiter } from '../queue/rate-limiter.ts';

/** Options of a controller; all of them have defaults. */
export interface ControllerOptions {
  /** How many objects are reconciled at the same time; 1 by default. With several `Clusters`, in each of them. */
  maxConcurrentReconciles?: number | undefined;
  /**
   * How long a reconcile may take before its signal aborts; no limit by default. A reconcile that ignores its signal
   * continues and blocks its object until it ends.
   */
  reconcileTimeout?: Duration | number | undefined;
  /**
   * How long each watch may take to deliver the existing objects before the controller, and with it the manager, fails;
   * two minutes by default.
   */
  cacheSyncTimeout?: Duration | number | undefined;
  /** How failed reconciles are delayed: `itemExponentialRateLimiter()` by default. Create one per controller. */
  rateLimiter?: RateLimiter | undefined;
  /**
   * False runs the controller for all objects on every replica, true on the leader only. By default the controller runs
   * on the leader; in a manager with sharding, on every replica for the objects that the replica owns.
   */
  needsLeaderElection?: boolean | undefined;
  /** True fills the queue on every replica before it leads: a new leader starts working at once. False by default. */
  warmUp?: boolean | undefined;
}

/** The validated options with defaults. Times are in milliseconds. */
export interface CheckedOptions {
  maxConcurrentReconciles: number;
  reconcileTimeout: number | undefined;
  cacheSyncTimeout: number;
  needsLeaderElection: boolean;
  warmUp: boolean;
}

/**
 * Fills in the defaults.
 * @throws {UsageError} when an option is out of range.
 */
export function checkOptions(options: ControllerOptions): CheckedOptions {
  const { maxConcurrentReconciles = 1, needsLeaderElection = true, warmUp = false } = options;
  if (!Number.isInteger(maxConcurrentReconciles) || maxConcurrentReconciles < 1) {
    throw new UsageError(
      `maxConcurrentReconciles is ${maxConcurrentReconciles}`,
      'Use a whole number of at least 1.',
    );
  }
  return {
    maxConcurrentReconciles,
    reconcileTimeout:
      options.reconcileTimeout === undefined
        ? undefined
        : timeout('reconcileTimeout', options.reconcileTimeout),
    cacheSyncTimeout: timeout('cacheSyncTimeout', options.cacheSyncTimeout ?? '2m'),
    needsLeaderElection,
    warmUp,
  };
}

function timeout(name: string, value: Duration | number): number {
  const milliseconds = toMilliseconds(value);
  if (milliseconds > 0) return milliseconds;
  throw new UsageError(`${name} is 0`, 'Use a positive duration, or leave it out.');
}
