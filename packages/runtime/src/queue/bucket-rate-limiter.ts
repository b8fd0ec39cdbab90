import { type Clock, systemClock } from 'ots-apimachinery/clock/clock';
import { UsageError } from '../errors/usage-error.ts';
import type { RateLimiter } from './rate-limiter.ts';

/** The size of a bucket. */
export interface BucketOptions {
  /** How many retries per second are allowed in the long run. */
  perSecond: number;
  /** How many retries are allowed at once after a quiet time. */
  burst: number;
  /** The system's by default. */
  clock?: Clock | undefined;
}

/**
 * Limits the retries of all items together, with a bucket of tokens that fills steadily. It does not delay single
 * items: combine it with another one in `maxOfRateLimiter`.
 * @throws {UsageError} if a number is not positive.
 */
export function bucketRateLimiter({ perSecond, burst, clock = systemClock }: BucketOptions): RateLimiter {
  if (!(perSecond > 0 && burst > 0)) {
    throw new UsageError(
      `A bucket of ${burst} tokens at ${perSecond} per second lets nothing pass`,
      'Use positive numbers for burst and perSecond.',
    );
  }
  let tokens = burst;
  let filledAt = clock.now();
  return {
    when: () => {
      const now = clock.now();
      tokens = Math.min(burst, tokens + ((now - filledAt) * perSecond) / 1000) - 1;
      filledAt = now;
      // Takes a future token if none is left: the next item then waits for the one after it.
      return Math.max(0, (-tokens / perSecond) * 1000);
    },
    forget: () => {},
    failures: () => 0,
  };
}
