import type { Duration } from 'ots-kubernetes';
import { type Clock, systemClock } from 'ots-apimachinery/clock/clock';
import { toMilliseconds } from '../duration/to-milliseconds.ts';
import { FailureCounts } from './failure-counts.ts';
import type { RateLimiter } from './rate-limiter.ts';

/** The two delays, and when the second one starts. */
export interface ItemFastSlowOptions {
  /** The delay after each of the first failures of an item. */
  fast: Duration | number;
  /** The delay after every later one. */
  slow: Duration | number;
  /** How many failures are fast. */
  attempts: number;
  /** The system's by default. */
  clock?: Clock | undefined;
}

/** Far longer than a retry can take to come back. */
const grace = 3_600_000;

/**
 * Retries an item quickly a number of times, and slowly afterward.
 * @throws {UsageError} if a delay is not a duration.
 */
export function itemFastSlowRateLimiter(options: ItemFastSlowOptions): RateLimiter {
  const fast = toMilliseconds(options.fast);
  const slow = toMilliseconds(options.slow);
  const failures = new FailureCounts(options.clock ?? systemClock, grace + 10 * Math.max(fast, slow));
  return {
    when: (key) => (failures.add(key) < options.attempts ? fast : slow),
    forget: (key) => failures.forget(key),
    failures: (key) => failures.get(key),
  };
}
