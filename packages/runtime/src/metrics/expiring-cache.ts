import type { Clock } from 'ots-apimachinery/clock/clock';

/** The maximum number of results. Scrapers need far fewer; the oldest results are dropped first. */
const capacity = 1000;

/** Caches results for a time that depends on the result. Does not cache failures. */
export class ExpiringCache<T> {
  readonly #clock: Clock;
  readonly #ageOf: (value: T) => number;
  readonly #entries = new Map<string, { value: Promise<T>; expires: number }>();

  /** @param ageOf how long to cache a result, in milliseconds. */
  constructor(clock: Clock, ageOf: (value: T) => number) {
    this.#clock = clock;
    this.#ageOf = ageOf;
  }

  /** Returns true if the result is cached or has been requested. */
  has(key: string): boolean {
    const known = this.#entries.get(key);
    return known !== undefined && this.#clock.now() < known.expires;
  }

  /** Returns the result for the key. Concurrent callers share one call of `ask`. */
  get(key: string, ask: () => Promise<T>): Promise<T> {
    if (this.has(key)) return this.#entries.get(key)!.value;
    const entry = { value: ask(), expires: Number.POSITIVE_INFINITY };
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    if (this.#entries.size > capacity) this.#entries.delete(this.#entries.keys().next().value!);
    entry.value.then(
      (value) => {
        entry.expires = this.#clock.now() + this.#ageOf(value);
      },
      () => {
        if (this.#entries.get(key) === entry) this.#entries.delete(key);
      },
    );
    return entry.value;
  }
}
