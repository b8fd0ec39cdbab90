import { type Clock, systemClock } from 'ots-apimachinery/clock/clock';

interface Timer {
  due: number;
  callback: () => void;
  handle: unknown;
}

/** A clock that follows real time and can skip ahead. Timers that become due then fire at once. */
export class MovableClock implements Clock {
  readonly #timers = new Set<Timer>();
  #skipped = 0;
  #jumped = 0;

  now(): number {
    return systemClock.now() + this.#skipped;
  }

  epoch(): number {
    return systemClock.epoch() + this.#skipped + this.#jumped;
  }

  /** The number of pending timers. */
  get pending(): number {
    return this.#timers.size;
  }

  /** Whether a timer is due and has not fired yet. */
  get isBehind(): boolean {
    const now = this.now();
    for (const { due } of this.#timers) if (due <= now) return true;
    return false;
  }

  /** Skips ahead in time. */
  skip(milliseconds: number): void {
    this.#skipped += milliseconds;
    for (const timer of [...this.#timers].toSorted((a, b) => a.due - b.due)) {
      systemClock.clearTimeout(timer.handle);
      this.#arm(timer);
    }
  }

  /** Changes the time of day only, as an administrator or NTP does. */
  jump(milliseconds: number): void {
    this.#jumped += milliseconds;
  }

  setTimeout(callback: () => void, milliseconds: number): unknown {
    const timer: Timer = { due: this.now() + milliseconds, callback, handle: undefined };
    this.#timers.add(timer);
    this.#arm(timer);
    return timer;
  }

  clearTimeout(handle: unknown): void {
    if (!this.#timers.delete(handle as Timer)) return;
    systemClock.clearTimeout((handle as Timer).handle);
  }

  #arm(timer: Timer): void {
    timer.handle = systemClock.setTimeout(
      () => {
        this.#timers.delete(timer);
        timer.callback();
      },
      Math.max(0, timer.due - this.now()),
    );
  }
}
