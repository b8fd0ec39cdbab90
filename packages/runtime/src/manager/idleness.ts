import type { Duration } from 'ots-kubernetes';
import type { Clock } from 'ots-apimachinery/clock/clock';
import { eitherSignal } from 'ots-apimachinery/signals/either-signal';
import { UsageError } from '../errors/usage-error.ts';
import { waitAt } from '../waiting/wait-for.ts';

/** How long to wait until a manager is idle. */
export interface IdleOptions {
  /** `'10s'` by default; a number is milliseconds. */
  timeout?: Duration | number | undefined;
  /** Stops waiting when it aborts. */
  signal?: AbortSignal | undefined;
}

/** The parts of a manager that may be busy. */
export interface BusyParts {
  lifecycle: {
    readonly problem: string | undefined;
    readonly failure: unknown;
    readonly stopping: AbortSignal;
  };
  controllers: { readonly runs: number; readonly busyWith: string[] };
  /** Undefined without sharding. */
  sharding: { readonly busyWith: string | undefined } | undefined;
  cache: { behind(signal: AbortSignal): Promise<string[]> };
  networkClock: Clock;
}

/** In milliseconds: each check lists the cached kinds. */
const interval = 20;

/**
 * Resolves when the manager has nothing to do.
 * @param callee the method that the program called.
 * @throws {WaitTimeoutError} that says what is still busy; what made the manager fail; {UsageError} when the manager stops; the signal's reason.
 */
export async function untilIdle(
  callee: () => unknown,
  { lifecycle, controllers, sharding, cache, networkClock: clock }: BusyParts,
  { timeout, signal }: IdleOptions,
): Promise<void> {
  let busy: string[] = [];
  const look = async (given: AbortSignal): Promise<boolean> => {
    const problem = lifecycle.problem ?? sharding?.busyWith;
    busy = problem === undefined ? controllers.busyWith : [problem];
    if (busy.length > 0) return false;
    const { runs } = controllers;
    busy = ['the API server has not confirmed yet that the cache is up to date'];
    const behind = await cache.behind(given);
    busy = [
      ...behind.map((kind) => `the cache of ${kind} is behind the API server`),
      ...controllers.busyWith,
    ];
    // A reconcile that started and ended in between may have written something that the cache has not received.
    return busy.length === 0 && controllers.runs === runs;
  };
  const stop = new AbortController();
  const stopped = (): void =>
    stop.abort(lifecycle.failure ?? new UsageError('The manager stops', 'Wait for idle before stop.'));
  lifecycle.stopping.addEventListener('abort', stopped, { once: true });
  if (lifecycle.stopping.aborted) stopped();
  const either = signal && eitherSignal(signal, stop.signal);
  try {
    const message = (): string => `the manager to be idle (${busy.join('; ')})`;
    await waitAt(callee, look, { timeout, interval, signal: either?.signal ?? stop.signal, message, clock });
  } finally {
    either?.dispose();
    lifecycle.stopping.removeEventListener('abort', stopped);
  }
}
