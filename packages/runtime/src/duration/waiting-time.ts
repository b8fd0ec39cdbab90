import type { Duration } from 'ots-kubernetes';
import { toMilliseconds } from './to-milliseconds.ts';

/** The bounds of a waiting time. */
export interface WaitingTimeOptions {
  /** The first one; `'1s'` by default. */
  min?: Duration | number | undefined;
  /** `'5m'` by default. */
  max?: Duration | number | undefined;
  /** The present, in milliseconds since 1970; `Date.now()` by default. */
  now?: number | undefined;
}

/**
 * A growing `requeueAfter` for polling: as long as the wait has taken so far, which doubles the time from one reconcile
 * to the next. It only needs the time when the wait started, which the object has: `{ requeueAfter:
 * waitingTime(condition.lastTransitionTime) }`, and so it survives a restart. (`context.attempt` does not serve here:
 * it counts failures, and a run that returns `requeueAfter` has not failed.)
 * @param since when the wait started, as a Kubernetes timestamp; if it is absent or invalid, the result is the minimum.
 * @returns milliseconds.
 * @throws {UsageError} when a duration is not one.
 */
export function waitingTime(since: string | undefined, options: WaitingTimeOptions = {}): number {
  const min = toMilliseconds(options.min ?? '1s');
  const max = toMilliseconds(options.max ?? '5m');
  const elapsed = (options.now ?? Date.now()) - Date.parse(since ?? '');
  return Math.min(Math.max(Number.isNaN(elapsed) ? 0 : elapsed, min), max);
}
