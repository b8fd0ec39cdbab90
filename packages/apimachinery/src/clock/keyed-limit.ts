import type { Clock } from './clock.ts';

export interface KeyedLimitOptions {
  /** How often something is admitted at once after a quiet time, for each key. */
  burst: number;
  /** How long it takes until a key has one more, in milliseconds. */
  interval: number;
  /** How many keys are remembered: those that were asked about last. */
  capacity: number;
}

/** When the bucket of each key is full again, by the clock of the limit. */
export type LimitMemory = ReadonlyMap<string, number>;

/** Bounds how often something is done for each key: a bucket of tokens for each of them. */
export class KeyedLimit {
  readonly #clock: Clock;
  readonly #options: KeyedLimitOptions;
  /** When the bucket of each key is full again. */
  readonly #fullAt: Map<string, number>;

  /** @param memory that of an earlier limit with the same clock. Default: none. */
  constructor(clock: Clock, options: KeyedLimitOptions, memory: LimitMemory = new Map()) {
    this.#clock = clock;
    this.#options = options;
    this.#fullAt = new Map(memory);
  }

  get memory(): LimitMemory {
    return new Map(this.#fullAt);
  }

  /** Whether it may be done once more for the key now; if so, it counts. */
  admits(key: string): boolean {
    const { burst, interval, capacity } = this.#options;
    const now = this.#clock.now();
    const fullAt = Math.max(now, this.#fullAt.get(key) ?? now);
    const isAdmitted = fullAt + interval <= now + burst * interval;
    this.#fullAt.delete(key);
    this.#fullAt.set(key, isAdmitted ? fullAt + interval : fullAt);
    if (this.#fullAt.size > capacity) this.#fullAt.delete(this.#fullAt.keys().next().value!);
    return isAdmitted;
  }
}
