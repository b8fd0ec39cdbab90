import type { Clock } from 'ots-apimachinery/clock/clock';

const firstDelayMs = 5;
const maxDelayMs = 60_000;
/** How many retries at once are not delayed further, and the interval of those that follow. */
const burst = 100;
const intervalMs = 100;

/**
 * How long failed work waits for its next attempt: longer after each failure, and at most ten attempts per second for all
 * work together, as in kube-controller-manager.
 */
export class RetryDelays {
  readonly #clock: Clock;
  readonly #failures = new Map<string, number>();
  /** When the retries so far would have happened at the interval. */
  #paceMs = -Infinity;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts a failure. @returns milliseconds until the next attempt */
  next(key: string): number {
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    const now = this.#clock.now();
    this.#paceMs = Math.max(this.#paceMs, now - burst * intervalMs) + intervalMs;
    return Math.max(Math.min(firstDelayMs * 2 ** failures, maxDelayMs), this.#paceMs - now);
  }

  /** Starts again with short delays. */
  forget(key: string): void {
    this.#failures.delete(key);
  }
}
