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
}
