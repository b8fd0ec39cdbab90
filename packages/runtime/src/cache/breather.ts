import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../clock/clock.ts';

/** Long enough to be efficient, short enough for leases, probes and reconcilers not to notice. */
const longestSlice = 10;

/** Cuts long work into slices, between which everything else in the process gets its turn. */
export class Breather {
  readonly #clock: Clock;
  #since: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#since = clock.now();
  }

  /** True when the work has gone on for too long; then `await breathe()`. */
  get isDue(): boolean {
    return this.#clock.now() - this.#since > longestSlice;
  }

  async breathe(): Promise<void> {
    await turn();
    this.#since = this.#clock.now();
  }
}
