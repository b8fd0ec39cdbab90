/**
 * Decides how long an item waits before it is retried after a failure. It has state: each controller needs its own.
 */
export interface RateLimiter {
  /**
   * Counts a failure of the item and returns its delay, in milliseconds.
   * @param key `namespace/name` of the object, or its name alone when it is cluster-scoped.
   */
  when(key: string): number;
  /** The item has succeeded: its delays start over. */
  forget(key: string): void;
  /** How many failures of the item are counted. */
  failures(key: string): number;
}

/** Asks every limiter and uses the longest delay. */
export function maxOfRateLimiter(...limiters: readonly RateLimiter[]): RateLimiter {
  return {
    when: (key) => Math.max(0, ...limiters.map((limiter) => limiter.when(key))),
    forget: (key) => {
      for (const limiter of limiters) limiter.forget(key);
    },
    failures: (key) => Math.max(0, ...limiters.map((limiter) => limiter.failures(key))),
  };
}
