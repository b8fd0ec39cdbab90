/** Time as this package sees it. Everything that waits takes a clock: tests move time instead of sleeping. */
export interface Clock {
  /** Monotonic time in milliseconds; only differences mean something. */
  now(): number;
  /** The time of day, in milliseconds since 1970. It may jump; never measure durations with it. */
  epoch(): number;
  /** Calls back once after `milliseconds`. Returns a handle for `clearTimeout`. */
  setTimeout(callback: () => void, milliseconds: number): unknown;
  /** Cancels a call. Does nothing if the call was already made or does not exist. */
  clearTimeout(handle: unknown): void;
}

/** Longer delays overflow Node's timers, which then fire after 1 ms. */
export const maxDelayMs = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => performance.now(),
  epoch: () => Date.now(),
  setTimeout: (callback, milliseconds) => setTimeout(callback, Math.min(milliseconds, maxDelayMs)),
  clearTimeout: (handle) => clearTimeout(handle as NodeJS.Timeout),
};
