import type { Clock } from 'ots-apimachinery/clock/clock';

interface Failures {
  count: number;
  /** When the last one was counted. */
  at: number;
}

/**
 * How often each key has failed in a row. A key without a failure for a long time is dropped: its object may be
 * deleted, and nothing else would remove the key.
 */
export class FailureCounts {
  /** In the order of the last failures. */
  readonly #failures = new Map<string, Failures>();
  readonly #clock: Clock;
  readonly #retention: number;

  /** @param retention how long a count is kept after the last failure, in milliseconds. */
  constructor(clock: Clock, retention: number) {
    this.#clock = clock;
    this.#retention = retention;
  }

  /** How many keys are remembered. */
  get size(): number {
    return this.#failures.size;
  }

  /** Counts a failure, and returns how many there were before. */
  add(key: string): number {
    const at = this.#clock.now();
    const before = this.#failures.get(key)?.count ?? 0;
    this.#failures.delete(key);
    this.#failures.set(key, { count: before + 1, at });
    this.#dropOlderThan(at - this.#retention);
    return before;
  }

  get(key: string): number {
    return this.#failures.get(key)?.count ?? 0;
  }

  forget(key: string): void {
    this.#failures.delete(key);
  }

  #dropOlderThan(time: number): void {
    for (const [key, { at }] of this.#failures) {
      if (at >= time) return;
      this.#failures.delete(key);
    }
  }
}
