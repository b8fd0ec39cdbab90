import { type Clock, systemClock } from 'ots-apimachinery/clock/clock';

/** A clock that stands still until a test moves it. */
export class ManualClock implements Clock {
  readonly #timers = new Map<object, { due: number; fire: () => void }>();
  readonly #start = systemClock.epoch();
  #now = 0;

  now(): number {
    return this.#now;
  }

  epoch(): number {
    return this.#start + this.#now;
  }

  setTimeout(fire: () => void, milliseconds: number): object {
    const handle = {};
    this.#timers.set(handle, { due: this.#now + milliseconds, fire });
    return handle;
  }

  clearTimeout(handle: unknown): void {
    this.#timers.delete(handle as object);
  }

  /** Whether something waits for exactly this time, in milliseconds. */
  waiting(milliseconds: number): boolean {
    return [...this.#timers.values()].some(({ due }) => due === this.#now + milliseconds);
  }

  /** Fires what becomes due, in the order in which it was set. */
  advance(milliseconds: number): void {
    this.#now += milliseconds;
    for (const [handle, { due, fire }] of this.#timers) {
      if (due > this.#now) continue;
      this.#timers.delete(handle);
      fire();
    }
  }
}
