import type { Clock } from 'ots-apimachinery/clock/clock';
import { settled } from '../virtual-clock.ts';

interface Timer {
  /** By the clock of its machine. */
  due: number;
  order: number;
  callback: () => void;
}

/** The clock of one process, which can stand still while the time of others passes. */
export class ProcessClock implements Clock {
  readonly #world: World;
  readonly timers = new Set<Timer>();
  #pausedAt: number | undefined;
  #wasSuspended = false;
  /** How long its machine was suspended, in milliseconds. */
  suspended = 0;
  #step = 0;
  isDead = false;

  constructor(world: World) {
    this.#world = world;
    world.clocks.add(this);
  }

  get isPaused(): boolean {
    return this.isDead || this.#pausedAt !== undefined;
  }

  now(): number {
    const now = this.#wasSuspended ? (this.#pausedAt ?? this.#world.now) : this.#world.now;
    return now - this.suspended;
  }

  epoch(): number {
    return this.#world.now + Date.UTC(2026, 0, 1) + this.#step;
  }

  setTimeout(callback: () => void, milliseconds: number): unknown {
    const timer = { due: this.now() + milliseconds, order: this.#world.next(), callback };
    this.timers.add(timer);
    return timer;
  }

  clearTimeout(handle: unknown): void {
    this.timers.delete(handle as Timer);
  }

  /** Sets the time of day, as an administrator does. */
  step(milliseconds: number): void {
    this.#step += milliseconds;
  }

  /** Stops the process, as SIGSTOP does; or its machine, whose monotonic clock then stops too. */
  pause(isSuspended: boolean): void {
    if (this.isPaused) return;
    this.#pausedAt = this.#world.now;
    this.#wasSuspended = isSuspended;
  }

  resume(): void {
    if (this.#pausedAt === undefined) return;
    if (this.#wasSuspended) this.suspended += this.#world.now - this.#pausedAt;
    this.#pausedAt = undefined;
    this.#wasSuspended = false;
  }
}

/** Time that all processes share, and what happens in it. */
export class World {
  now = 0;
  readonly clocks = new Set<ProcessClock>();
  #lastOrder = 0;
  /** What no process can stop: a server, a network, a person. */
  readonly outside = new ProcessClock(this);

  /** The number of the next event. */
  next(): number {
    return (this.#lastOrder += 1);
  }

  /** Lets time pass, and everything happen in its order. */
  async run(milliseconds: number): Promise<void> {
    const end = this.now + milliseconds;
    for (;;) {
      const due = [...this.clocks]
        .filter(({ isPaused }) => !isPaused)
        .flatMap((clock) =>
          [...clock.timers].map((timer) => ({ clock, timer, at: timer.due + clock.suspended })),
        )
        .filter(({ at }) => at <= end)
        .toSorted((a, b) => a.at - b.at || a.timer.order - b.timer.order)[0];
      if (!due) break;
      this.now = Math.max(this.now, due.at);
      due.clock.timers.delete(due.timer);
      due.timer.callback();
      await settled();
    }
    this.now = end;
    await settled();
  }
}
