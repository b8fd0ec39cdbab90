import type { Clock } from 'ots-apimachinery/clock/clock';

/**
 * Calls back when nothing has happened for a while. Cheap to restart: it keeps one timer, however often something
 * happens.
 */
export class IdleTimer {
  readonly #clock: Clock;
  readonly #expired: () => void;
  #timer: unknown;
  #timeout = 0;
  #lastActivity = 0;

  constructor(clock: Clock, expired: () => void) {
    this.#clock = clock;
    this.#expired = expired;
  }

  /** Restarts: calls back if nothing happens within `timeout` milliseconds. */
  start(timeout: number): void {
    const sooner = timeout < this.#timeout;
    this.#timeout = timeout;
    this.#lastActivity = this.#clock.now();
    if (this.#timer === undefined || sooner) this.#arm(timeout);
  }

  /** Something happened. */
  heard(): void {
    this.#lastActivity = this.#clock.now();
  }

  stop(): void {
    this.#clock.clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #arm(milliseconds: number): void {
    this.#clock.clearTimeout(this.#timer);
    this.#timer = this.#clock.setTimeout(() => {
      const left = this.#lastActivity + this.#timeout - this.#clock.now();
      if (left > 0) this.#arm(left);
      else this.#expired();
    }, milliseconds);
  }
}
