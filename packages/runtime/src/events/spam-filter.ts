import type { Clock } from '../clock/clock.ts';

/** As client-go: so many events of one object at once, */
const burst = 25;
/** and one more each five minutes, in milliseconds. */
const refill = 300_000;
/** So many objects are remembered, those with the latest events. */
const capacity = 4096;

interface Bucket {
  tokens: number;
  at: number;
}

/** Keeps an operator that runs wild from filling etcd with events: a token bucket for each object. */
export class SpamFilter {
  readonly #clock: Clock;
  readonly #buckets = new Map<string, Bucket>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether there may be another event of the object now; if so, it counts. */
  admits(object: string): boolean {
    const now = this.#clock.now();
    const { tokens, at } = this.#buckets.get(object) ?? { tokens: burst, at: now };
    const left = Math.min(burst, tokens + (now - at) / refill);
    const admitted = left >= 1;
    this.#buckets.delete(object);
    this.#buckets.set(object, { tokens: admitted ? left - 1 : left, at: now });
    if (this.#buckets.size > capacity) this.#buckets.delete(this.#buckets.keys().next().value!);
    return admitted;
  }
}
