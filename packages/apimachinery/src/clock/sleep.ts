import type { Clock } from './clock.ts';

/** Resolves after `milliseconds`, or at once when the signal aborts. Never rejects. */
export function sleep(clock: Clock, milliseconds: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const finish = (): void => {
      clock.clearTimeout(timer);
      signal?.removeEventListener('abort', finish);
      resolve();
    };
    const timer = clock.setTimeout(finish, milliseconds);
    signal?.addEventListener('abort', finish, { once: true });
  });
}
