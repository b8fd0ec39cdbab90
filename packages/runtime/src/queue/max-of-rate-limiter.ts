import type { RateLimiter } from './rate-limiter.ts';

/** Asks every limiter, and lets the longest delay count. */
export function maxOfRateLimiter(...limiters: readonly RateLimiter[]): RateLimiter {
  return {
    when: (key) => Math.max(0, ...limiters.map((limiter) => limiter.when(key))),
    forget: (key) => {
      for (const limiter of limiters) limiter.forget(key);
    },
    failures: (key) => Math.max(0, ...limiters.map((limiter) => limiter.failures(key))),
  };
}
