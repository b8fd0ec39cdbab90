import type { Clock } from 'ots-apimachinery/clock/clock';

/** As in Kubernetes: how often the binder looks at claims and volumes again that are not done. */
const interval = 15_000;

/** When the binder looks at everything again: a claim that waits does not notice a volume or class that comes. */
export class Resync {
  readonly #clock: Clock;
  readonly #startedAt: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#startedAt = clock.now();
  }

  /** The time until then, in milliseconds. */
  next(): number {
    return interval - ((this.#clock.now() - this.#startedAt) % interval);
  }
}
