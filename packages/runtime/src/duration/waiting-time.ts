import type { Duration } from 'ots-kubernetes';
import { currentEpoch } from '../context/work-context.ts';
import { toMilliseconds } from './to-milliseconds.ts';

/** The bounds of a waiting time. */
export interface WaitingTimeOptions {
  /** The first waiting time; `'1s'` by default. */
  min?: Duration | number | undefined;
  /** The maximum; `'5m'` by default. */
  max?: Duration | number | undefined;
  /** The current time, in milliseconds since 1970; that of the manager's clock in a reconcile, else `Date.now()`, by default. */
  now?: number | undefined;
}

/**
 * Returns a growing `requeueAfter` for polling: the time that the wait has taken so far, which doubles the delay from
 * one reconcile to the next. It only needs the start of the wait, which is in the object, so it survives a restart:
 * `{ requeueAfter: waitingTime(condition.lastTransitionTime) }`. (`context.attempt` does not work here: it counts
 * failures, and a reconcile that returns `requeueAfter` has not failed.)
 * @param since when the wait started, as a Kubernetes timestamp; if it is absent or invalid, the result is the minimum.
 * @returns milliseconds.
 * @throws {UsageError} when `min` or `max` is not a duration.
 */
export function waitingTime(since: string | undefined, options: WaitingTimeOptions = {}): number {
  const min = toMilliseconds(options.min ?? '1s');
  const max = toMilliseconds(options.max ?? '5m');
  const elapsed = (options.now ?? currentEpoch()) - Date.parse(since ?? '');
  return Math.min(Math.max(Number.isNaN(elapsed) ? 0 : elapsed, min), max);
}
