import { promisify } from 'node:util';
import { type Clock, maxDelayMs } from 'ots-apimachinery/clock/clock';
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
 *
 * @returns that clock, and the one before it
 */
export function replaceClock(): { readonly clock: MovableClock; readonly real: Clock } {
  const real = nativeClock();
  const clock = new MovableClock(real);
  performance.now = () => clock.now();
  Object.assign(globalThis, { Date: movedDate(clock), ...movedTimers(clock) });
  return { clock, real };
}

/** The clock of this process, whatever replaces its functions later. */
function nativeClock(): Clock {
  const native = { Date, setTimeout, clearTimeout, now: performance.now.bind(performance) };
  return {
    now: native.now,
    epoch: () => native.Date.now(),
    setTimeout: (callback, milliseconds) => native.setTimeout(callback, Math.min(milliseconds, maxDelayMs)),
    clearTimeout: (handle) => native.clearTimeout(handle as NodeJS.Timeout),
  };
}

function movedDate(clock: Clock): DateConstructor {
  const native = Date;
  return new Proxy(native, {
    construct: (target, args, self) =>
      Reflect.construct(target, args.length === 0 ? [clock.epoch()] : args, self) as Date,
    apply: () => new native(clock.epoch()).toString(),
    get: (target, name, self) =>
      name === 'now' ? () => clock.epoch() : (Reflect.get(target, name, self) as unknown),
  });
}

function movedTimers(clock: Clock) {
  const native = { clearTimeout };
  const set = (callback: (...args: unknown[]) => void, delay?: unknown, ...args: unknown[]) =>
    new Timer(clock, () => callback(...args), delayOf(delay));
  const repeat = (callback: (...args: unknown[]) => void, delay?: unknown, ...args: unknown[]) => {
    const timer: Timer = new Timer(
      clock,
      () => {
        timer.refresh();
        callback(...args);
      },
      delayOf(delay),
    );
    return timer;
  };
  const clear = (timer: unknown) => {
    if (timer instanceof Timer) timer.close();
    else native.clearTimeout(timer as NodeJS.Timeout);
  };
  const wait = (delay?: unknown, value?: unknown) => new Promise((resolve) => set(resolve, delay, value));
  return {
    setTimeout: Object.assign(set, { [promisify.custom]: wait }),
    setInterval: repeat,
    clearTimeout: clear,
    clearInterval: clear,
  };
}

/** As Node reads it: 1 for what is not a number of milliseconds, and for too many. */
function delayOf(delay: unknown): number {
  const milliseconds = Number(delay);
  return milliseconds >= 1 && milliseconds <= maxDelayMs ? milliseconds : 1;
}
