import { setMaxListeners } from 'node:events';
import type { Clock } from './clock.ts';

/**
 * Runs `work` under a signal that aborts with the caller's signal, or with `expired()` as its reason after
 * `milliseconds`. `AbortSignal.any` is avoided on purpose: on Node 20 it leaks into signals that live long.
 */
export async function withDeadline<T>(
  clock: Clock,
  milliseconds: number,
  signal: AbortSignal | undefined,
  expired: () => Error,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  // Node warns of a leak at the eleventh listener; one signal may end any number of requests, and none stays on it.
  if (signal) setMaxListeners(0, signal);
  const controller = new AbortController();
  const forward = (): void => controller.abort(signal?.reason);
  signal?.addEventListener('abort', forward, { once: true });
  const timer = clock.setTimeout(() => controller.abort(expired()), milliseconds);
  try {
    return await work(controller.signal);
  } finally {
    clock.clearTimeout(timer);
    signal?.removeEventListener('abort', forward);
  }
}
