import type { Clock } from 'ots-apimachinery/clock/clock';

interface Timer {
  due: number;
  callback: () => void;
}

/** A clock that stands still until a test moves it. */
export class VirtualClock implements Clock {
  #now = 1_000_000;
  #epochOffset = Date.UTC(2026, 0, 1);
  readonly #timers = new Set<Timer>();

  now(): number {
    return this.#now;
  }

  epoch(): number {
    return this.#now + this.#epochOffset;
  }

  /** Changes the time of day only, as an administrator or NTP does. */
  jump(milliseconds: number): void {
    this.#epochOffset += milliseconds;
  }

  setTimeout(callback: () => void, milliseconds: number): unknown {
    const timer: Timer = { due: this.#now + milliseconds, callback };
    this.#timers.add(timer);
    return timer;
  }

  clearTimeout(handle: unknown): void {
    this.#timers.delete(handle as Timer);
  }

  /** How long until each timer fires, soonest first. */
  get delays(): number[] {
    return [...this.#timers].map(({ due }) => due - this.#now).toSorted((a, b) => a - b);
  }

  /** Moves time and fires what becomes due, in order, letting promises settle in between. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    for (;;) {
      const next = [...this.#timers].filter(({ due }) => due <= end).toSorted((a, b) => a.due - b.due)[0];
      if (!next) break;
      this.#now = Math.max(this.#now, next.due);
      this.#timers.delete(next);
      next.callback();
      await settled();
    }
    this.#now = end;
    await settled();
  }
}

/** Runs everything that waits only for promises. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
