import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from 'ots-apimachinery/clock/clock';

/** Long enough to be efficient, short enough not to delay leases, probes and reconcilers. In milliseconds. */
const maxSliceMs = 10;

/** Splits long work into slices and lets everything else in the process run between them. */
export class EventLoopPauses {
  readonly #clock: Clock;
  #since: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#since = clock.now();
  }

  /** True when the current slice is over: `await pause()` then. */
  get isDue(): boolean {
    return this.#clock.now() - this.#since > maxSliceMs;
  }

  async pause(): Promise<void> {
    await turn();
    this.#since = this.#clock.now();
  }
}
