import { type Clock, systemClock } from 'ots-apimachinery/clock/clock';
import { MovableClock } from './movable-clock.ts';

/** A timer as Node's `setTimeout` returns it, as far as programs use it. */
class Timer {
  readonly #clock: Clock;
  readonly #callback: () => void;
  readonly #delay: number;
  #handle: unknown;

  constructor(clock: Clock, callback: () => void, delay: number) {
    this.#clock = clock;
    this.#callback = callback;
    this.#delay = delay;
    this.refresh();
  }

  refresh(): this {
    this.close();
    this.#handle = this.#clock.setTimeout(this.#callback, this.#delay);
    return this;
  }

  close(): this {
    this.#clock.clearTimeout(this.#handle);
    return this;
  }

  /** The operator ends by itself: nothing waits for its timers. */
  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return true;
  }
}

/**
 * Lets all code of this process that is loaded later see a clock that can be moved: `Date`, `performance.now`, `setTimeout` and
 * `setInterval`.
 */
export function replaceClock(): MovableClock {
  const real = { setTimeout, clearTimeout, clearInterval, now: performance.now.bind(performance), Date };
  const clock = new MovableClock({
    ...systemClock,
    now: real.now,
    epoch: () => real.Date.now(),
    setTimeout: (callback, milliseconds) => real.setTimeout(callback, milliseconds),
    clearTimeout: (handle) => real.clearTimeout(handle as NodeJS.Timeout),
  });
  performance.now = () => clock.now();
  const moved = new Proxy(real.Date, {
    construct: (target, args, self) =>
      Reflect.construct(target, args.length === 0 ? [clock.epoch()] : args, self) as Date,
    apply: () => new real.Date(clock.epoch()).toString(),
    get: (target, name, self) =>
      name === 'now' ? () => clock.epoch() : (Reflect.get(target, name, self) as unknown),
  });
  const clear = (timer: unknown) => {
    if (timer instanceof Timer) timer.close();
    else real.clearTimeout(timer as NodeJS.Timeout);
  };
  Object.assign(globalThis, {
    Date: moved,
    setTimeout: (callback: (...args: unknown[]) => void, delay = 0, ...args: unknown[]) =>
      new Timer(clock, () => callback(...args), delay),
    setInterval: (callback: (...args: unknown[]) => void, delay = 0, ...args: unknown[]) => {
      const timer: Timer = new Timer(
        clock,
        () => {
          timer.refresh();
          callback(...args);
        },
        Math.max(1, delay),
      );
      return timer;
    },
    clearTimeout: clear,
    clearInterval: clear,
  });
  return clock;
}
