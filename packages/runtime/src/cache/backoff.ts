import type { Clock } from 'ots-apimachinery/clock/clock';

export interface BackoffOptions {
  clock: Clock;
  /** A number in [0, 1); `Math.random` by default. */
  random?: () => number;
}

const initial = 200;
const maxDelayMs = 30_000;
/** After two minutes without a failure, the next one counts as the first. */
const forgetAfter = 120_000;

/** As often a success that ends in a failure is repeated without a delay. */
const maxAtOnce = 10;

/** Growing, jittered delays between attempts of something that fails: 200 ms to 30 s, in milliseconds. */
export class Backoff {
  readonly #clock: Clock;
  readonly #random: () => number;
  #failures = 0;
  #lastFailure = Number.NEGATIVE_INFINITY;

  constructor(options: BackoffOptions) {
    this.#clock = options.clock;
    this.#random = options.random ?? Math.random;
  }

  /** Counts a failure and returns how long to wait after it. */
  next(): number {
    const now = this.#clock.now();
    if (now - this.#lastFailure > forgetAfter) this.#failures = 0;
    this.#lastFailure = now;
    const base = Math.min(initial * 2 ** this.#failures, maxDelayMs / 2);
    this.#failures += 1;
    return Math.round(base * (1 + this.#random()));
  }

  /** Counts a failure that followed a success, and returns how long to wait after it: 0 until there are too many of them. */
  nextAfterSuccess(): number {
    const delay = this.next();
    return this.#failures <= maxAtOnce ? 0 : delay;
  }
}
