import type { Duration } from 'ots-kubernetes';
import { type Clock, systemClock } from '../clock/clock.ts';
import { sleep } from '../clock/sleep.ts';
import { toMilliseconds } from '../duration/to-milliseconds.ts';
import { WaitTimeoutError } from './wait-timeout-error.ts';

export interface WaitOptions {
  /** `'10s'` by default; a number is milliseconds. */
  timeout?: Duration | number | undefined;
  /** Between probes; 50 ms by default. */
  interval?: Duration | number | undefined;
  signal?: AbortSignal | undefined;
  /** What is waited for, for the error. */
  message?: string | undefined;
  clock?: Clock | undefined;
}

/**
 * Probes until the result is neither undefined nor false, and returns it. A probe that throws is tried again.
 * @throws {WaitTimeoutError} after `timeout`; the signal's reason when it aborts.
 */
export async function waitFor<T>(
  probe: () => Promise<T | undefined | false> | T | undefined | false,
  options: WaitOptions = {},
): Promise<T> {
  const { signal, message = 'the condition', clock = systemClock } = options;
  const timeout = toMilliseconds(options.timeout ?? '10s');
  const interval = toMilliseconds(options.interval ?? 50);
  const deadline = clock.now() + timeout;
  let lastError: unknown;
  for (;;) {
    signal?.throwIfAborted();
    try {
      const result = await probe();
      if (result !== undefined && result !== false) return result;
      lastError = undefined;
    } catch (error) {
      lastError = error;
    }
    if (clock.now() >= deadline) {
      throw new WaitTimeoutError(
        `${message} did not come true within ${timeout} ms`,
        lastError === undefined
          ? 'Look at what the probe reads.'
          : 'See the cause: what the last probe threw.',
        lastError,
      );
    }
    await sleep(clock, interval, signal);
  }
}
