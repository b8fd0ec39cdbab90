import { type Clock, maxDelayMs } from 'ots-apimachinery/clock/clock';
import { dateOf, timersOf } from 'ots-apimachinery/clock/globals';
import { MovableClock } from './movable-clock.ts';

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
  Object.assign(globalThis, { Date: dateOf(clock), ...timersOf(clock).globals });
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
