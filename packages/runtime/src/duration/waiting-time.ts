import type { Duration } from 'ots-kubernetes';
import { toMilliseconds } from './to-milliseconds.ts';

/** The bounds of a waiting time. */
export interface WaitingTimeOptions {
  /** The first and shortest; `'1s'` by default. */
  shortest?: Duration | number | undefined;
  /** `'5m'` by default. */
  longest?: Duration | number | undefined;
  /** The present, in milliseconds since 1970; `Date.now()` by default. */
  now?: number | undefined;
}

/**
 * A growing `requeueAfter` for something that is asked again and again: as long as it has taken so far, so that the
 * time doubles from one run to the next. Needs no memory but the time when the waiting began, which the object has:
 * `{ requeueAfter: waitingTime(condition.lastTransitionTime) }`, and so it survives a restart. (`context.attempt` does
 * not serve here: it counts failures, and a run that returns `requeueAfter` has not failed.)
 * @param since when the waiting began, as Kubernetes writes times; the shortest time when it is absent or no time.
 * @returns milliseconds.
 * @throws {UsageError} when a duration is not one.
 */
export function waitingTime(since: string | undefined, options: WaitingTimeOptions = {}): number {
  const shortest = toMilliseconds(options.shortest ?? '1s');
  const longest = toMilliseconds(options.longest ?? '5m');
  const elapsed = (options.now ?? Date.now()) - Date.parse(since ?? '');
  return Math.min(Math.max(Number.isNaN(elapsed) ? 0 : elapsed, shortest), longest);
}
