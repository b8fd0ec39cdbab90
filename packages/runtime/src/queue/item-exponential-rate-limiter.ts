import type { Duration } from 'ots-kubernetes';
import { type Clock, systemClock } from 'ots-apimachinery/clock/clock';
import { toMilliseconds } from '../duration/to-milliseconds.ts';
import { FailureCounts } from './failure-counts.ts';
import type { RateLimiter } from './rate-limiter.ts';

/** The bounds of the delays. */
export interface ItemExponentialOptions {
  /** The delay after the first failure; 5 ms by default. */
  base?: Duration | number | undefined;
  /** The longest delay; 1000 s by default. */
  max?: Duration | number | undefined;
  /** The system's by default. */
  clock?: Clock | undefined;
}

/** Far longer than a retry can take to come back. */
const grace = 3_600_000;
/** Beyond it the product is no longer exact, and later not a number. */
const maxDoublings = 50;

/**
 * Doubles the delay of an item with each failure. The default of controllers, as in controller-runtime with its
 * priority queue.
 * @throws {UsageError} if an option is not a duration.
 */
export function itemExponentialRateLimiter(options: ItemExponentialOptions = {}): RateLimiter {
  const base = toMilliseconds(options.base ?? 5);
  const max = toMilliseconds(options.max ?? 1_000_000);
  const failures = new FailureCounts(options.clock ?? systemClock, grace + 10 * max);
  return {
    when: (key) => Math.min(base * 2 ** Math.min(failures.add(key), maxDoublings), max),
    forget: (key) => failures.forget(key),
    failures: (key) => failures.get(key),
  };
}
