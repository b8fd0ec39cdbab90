import { setMaxListeners } from 'node:events';
import { showAwaiting } from '../errors/caller-frames.ts';
import type { Clock } from 'ots-apimachinery/clock/clock';

/**
 * Runs `work` under a signal that aborts with the caller's signal, or with `expired()` as its reason after
 * `milliseconds`; that error shows who waits for the work. `AbortSignal.any` is avoided on purpose: on Node 20 it leaks into signals that live long.
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
  let expiry: Error | undefined;
  const expire = (): void => controller.abort((expiry = expired()));
  const timer = clock.setTimeout(expire, milliseconds);
  try {
    return await work(controller.signal);
  } catch (error) {
    if (error === expiry) showAwaiting(error);
    throw error;
  } finally {
    clock.clearTimeout(timer);
    signal?.removeEventListener('abort', forward);
  }
}
