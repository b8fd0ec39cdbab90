const initialMs = 10_000;
const maxMs = 300_000;

/** What the next delay depends on. */
export interface BackOffMemory {
  readonly delay: number;
  readonly attemptedAt: number;
}

/**
 * A delay that doubles from 10 seconds to 5 minutes with each attempt, and begins again for a failure more than 10 minutes after the
 * last attempt, as in the kubelet. Times are milliseconds since 1970.
 */
export class BackOff {
  #delay: number;
  #attemptedAt: number;

  /** @param memory that of an earlier one. Default: there was no attempt. */
  constructor({ delay, attemptedAt }: BackOffMemory = { delay: 0, attemptedAt: 0 }) {
    this.#delay = delay;
    this.#attemptedAt = attemptedAt;
  }

  get memory(): BackOffMemory {
    return { delay: this.#delay, attemptedAt: this.#attemptedAt };
  }

  /** Until when a failure delays the next attempt. */
  until(failedAt: number): number {
    return this.#hasExpired(failedAt) ? failedAt : failedAt + this.#delay;
  }

  /** Counts an attempt after a failure: the next one waits longer. */
  attempt(failedAt: number, now: number): void {
    const isFirst = this.#delay === 0 || this.#hasExpired(failedAt);
    this.#delay = isFirst ? initialMs : Math.min(2 * this.#delay, maxMs);
    this.#attemptedAt = now;
  }

  /** The delay as Go writes it: `10s`, `1m20s`, `5m0s`. */
  get text(): string {
    const seconds = this.#delay / 1000;
    const minutes = Math.trunc(seconds / 60);
    return minutes > 0 ? `${minutes}m${seconds % 60}s` : `${seconds}s`;
  }

  #hasExpired(failedAt: number): boolean {
    return failedAt - this.#attemptedAt > 2 * maxMs;
  }
}
