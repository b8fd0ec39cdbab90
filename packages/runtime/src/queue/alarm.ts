import { type Clock, maxDelayMs } from '../clock/clock.ts';

/** Calls back at one time, which can be moved, however far away it is: timers of Node can be set for 24 days only. */
export class Alarm {
  readonly #clock: Clock;
  readonly #ring: () => void;
  #timer: unknown;
  #due = Number.POSITIVE_INFINITY;

  /** @param ring is called when the time has come, or a timer has ended that could not be set for as long. */
  constructor(clock: Clock, ring: () => void) {
    this.#clock = clock;
    this.#ring = ring;
  }

  /** When it rings, in milliseconds of the clock; infinity for never. */
  get due(): number {
    return this.#due;
  }

  /** Sets it for another time instead. */
  set(due: number, now: number): void {
    if (due === this.#due) return;
    this.#clock.clearTimeout(this.#timer);
    this.#due = due;
    if (due === Number.POSITIVE_INFINITY) return;
    const delay = Math.min(Math.max(due - now, 0), maxDelayMs);
    this.#timer = this.#clock.setTimeout(() => {
      this.#due = Number.POSITIVE_INFINITY;
      this.#ring();
    }, delay);
  }
}
