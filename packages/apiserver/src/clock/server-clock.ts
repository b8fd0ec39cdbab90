import type { Clock } from 'ots-apimachinery/clock/clock';

/**
 * The clock of one server: another clock whose timers end with the server. So nothing that the server would do later keeps a
 * process alive, or happens after the end.
 */
export class ServerClock implements Clock {
  readonly #clock: Clock;
  readonly #timers = new Set<unknown>();
  #isStopped = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now(): number {
    return this.#clock.now();
  }

  epoch(): number {
    return this.#clock.epoch();
  }

  /** Calls back once after `milliseconds`, unless the server has stopped by then. */
  setTimeout(callback: () => void, milliseconds: number): unknown {
    if (this.#isStopped) return undefined;
    const timer = this.#clock.setTimeout(() => {
      this.#timers.delete(timer);
      callback();
    }, milliseconds);
    this.#timers.add(timer);
    return timer;
  }

  clearTimeout(timer: unknown): void {
    if (this.#timers.delete(timer)) this.#clock.clearTimeout(timer);
  }

  /** Cancels every timer. Later ones never call back. */
  stop(): void {
    this.#isStopped = true;
    for (const timer of this.#timers) this.#clock.clearTimeout(timer);
    this.#timers.clear();
  }
}
