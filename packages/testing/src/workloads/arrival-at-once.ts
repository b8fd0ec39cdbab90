import type { Arrival } from './mirror-of.ts';

/** What arrives as soon as the running code has ended, as over a fast network. */
export class ArrivalAtOnce implements Arrival {
  readonly #pending: (() => void)[] = [];

  list(deliver: () => Promise<void>): void {
    this.event(() => void deliver());
  }

  event(deliver: () => void): void {
    if (this.#pending.push(deliver) === 1) setImmediate(() => this.#deliver());
  }

  drop(): void {
    this.#pending.length = 0;
  }

  #deliver(): void {
    for (const deliver of this.#pending.splice(0)) deliver();
  }
}
