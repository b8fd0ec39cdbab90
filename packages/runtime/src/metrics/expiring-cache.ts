import type { Clock } from '../clock/clock.ts';

/** More callers than this are no scrapers; the oldest answers go first. */
const capacity = 1000;

/** Remembers answers for a time that depends on the answer. Failures are not remembered. */
export class ExpiringCache<T> {
  readonly #clock: Clock;
  readonly #ageOf: (value: T) => number;
  readonly #entries = new Map<string, { value: Promise<T>; expires: number }>();

  /** @param ageOf how long to remember an answer, in milliseconds. */
  constructor(clock: Clock, ageOf: (value: T) => number) {
    this.#clock = clock;
    this.#ageOf = ageOf;
  }

  /** Whether the answer is known, or asked for already. */
  has(key: string): boolean {
    const known = this.#entries.get(key);
    return known !== undefined && this.#clock.now() < known.expires;
  }

  /** The answer for the key; those who ask at the same time share one question. */
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
