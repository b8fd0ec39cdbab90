import { promisify } from 'node:util';
import { type Clock, maxDelayMs } from './clock.ts';

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

  /** The clock decides what waits for a timer. */
  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return true;
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

/** A `Date` whose present is that of a clock, in place of the one of this process. */
export function dateOf(clock: Clock): DateConstructor {
  const native = Date;
  return new Proxy(native, {
    construct: (target, args, self) =>
      Reflect.construct(target, args.length === 0 ? [clock.epoch()] : args, self) as Date,
    apply: () => new native(clock.epoch()).toString(),
    get: (target, name, self) =>
      name === 'now' ? () => clock.epoch() : (Reflect.get(target, name, self) as unknown),
  });
}

type Callback = (...args: unknown[]) => void;

/**
 * The timers of a clock, in place of those of this process: `setTimeout`, `setInterval`, and what clears them, which also clears timers
 * that were set before. `wait` is the `setTimeout` of `node:timers/promises`.
 */
export function timersOf(clock: Clock) {
  const native = { clearTimeout };
  const set = (callback: Callback, delay?: unknown, ...args: unknown[]) =>
    new Timer(clock, () => callback(...args), delayOf(delay));
  const repeat = (callback: Callback, delay?: unknown, ...args: unknown[]) => {
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
    globals: {
      setTimeout: Object.assign(set, { [promisify.custom]: wait }),
      setInterval: repeat,
      clearTimeout: clear,
      clearInterval: clear,
    },
    wait,
  };
}

/** As Node reads it: 1 for what is not a number of milliseconds, and for too many. */
function delayOf(delay: unknown): number {
  const milliseconds = Number(delay);
  return milliseconds >= 1 && milliseconds <= maxDelayMs ? milliseconds : 1;
}
