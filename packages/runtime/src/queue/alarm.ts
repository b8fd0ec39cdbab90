import { type Clock, maxDelayMs } from 'ots-apimachinery/clock/clock';

/** Calls back at one movable time, however far away: Node's timers are limited to 24 days. */
export class Alarm {
  readonly #clock: Clock;
  readonly #ring: () => void;
  #timer: unknown;
  #due = Number.POSITIVE_INFINITY;

  /** @param ring called at the set time, and earlier if the timer could not be set that far ahead. */
  constructor(clock: Clock, ring: () => void) {
    this.#clock = clock;
    this.#ring = ring;
  }

  /** When it rings, in milliseconds of the clock; infinity for never. */
  get due(): number {
    return this.#due;
  }

  /** Moves it to another time. */
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
