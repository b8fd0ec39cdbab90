import { AsyncResource } from 'node:async_hooks';
import { type Clock, maxDelayMs } from 'ots-apimachinery/clock/clock';

/** A call that waits for its time. */
interface Waiting {
  readonly due: number;
  readonly fire: () => void;
  timer: unknown;
}

/** A clock that runs like another one, and that can be moved ahead: what becomes due by that happens at once, in order. */
export class MovableClock implements Clock {
  readonly #base: Clock;
  readonly #waiting = new Set<Waiting>();
  #ahead = 0;

  constructor(base: Clock) {
    this.#base = base;
  }

  /** How far it is ahead of the other clock, in milliseconds. */
  get ahead(): number {
    return this.#ahead;
  }

  now(): number {
    return this.#base.now() + this.#ahead;
  }

  epoch(): number {
    return this.#base.epoch() + this.#ahead;
  }

  setTimeout(callback: () => void, milliseconds: number): unknown {
    const waiting: Waiting = {
      due: this.now() + milliseconds,
      // A timer that is set again when the clock moves belongs to the work that first set it.
      fire: AsyncResource.bind(() => {
        this.#waiting.delete(waiting);
        callback();
      }),
      timer: undefined,
    };
    this.#waiting.add(waiting);
    this.#arm(waiting);
    return waiting;
  }

  clearTimeout(handle: unknown): void {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the handle comes from setTimeout
    const waiting = handle as Waiting | undefined;
    if (!waiting || !this.#waiting.delete(waiting)) return;
    this.#base.clearTimeout(waiting.timer);
  }

  /** Moves the clock ahead. @param milliseconds not negative */
  advance(milliseconds: number): void {
    this.#ahead += milliseconds;
    for (const waiting of [...this.#waiting].toSorted((a, b) => a.due - b.due)) {
      this.#base.clearTimeout(waiting.timer);
      this.#arm(waiting);
    }
  }

  #arm(waiting: Waiting): void {
    const delay = Math.max(0, waiting.due - this.now());
    // A longer delay is waited for in parts.
    const next = delay > maxDelayMs ? () => this.#arm(waiting) : waiting.fire;
    waiting.timer = this.#base.setTimeout(next, Math.min(delay, maxDelayMs));
  }
}
