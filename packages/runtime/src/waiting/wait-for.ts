import type { Duration } from 'ots-kubernetes';
import { type Clock, systemClock } from 'ots-apimachinery/clock/clock';
import { sleep } from 'ots-apimachinery/clock/sleep';
import { withDeadline } from '../clock/with-deadline.ts';
import { toMilliseconds } from '../duration/to-milliseconds.ts';
import { rememberCaller } from '../errors/caller-frames.ts';
import { RuntimeError } from '../errors/runtime-error.ts';
import { unlessAborted } from '../signals/until-aborted.ts';

/** The condition was not met in time. `cause` is the error of the last probe, if it threw. */
export class WaitTimeoutError extends RuntimeError {
  /** Stable; to branch on. */
  readonly code = 'WAIT_TIMEOUT';
}

/** How long and how often to probe. */
export interface WaitOptions {
  /** `'10s'` by default; a number is milliseconds. */
  timeout?: Duration | number | undefined;
  /** Between probes; 50 ms by default. */
  interval?: Duration | number | undefined;
  /** Stops waiting when it aborts. */
  signal?: AbortSignal | undefined;
  /** What the call waits for, for the error: "the Job to complete". A function is called at the timeout. */
  message?: string | (() => string) | undefined;
  /** The system's by default. */
  clock?: Clock | undefined;
}

/**
 * Probes until the result is neither undefined nor false, and returns it. Retries a probe that throws.
 * @param probe receives a signal that aborts when the time is up. A probe that ignores it is abandoned.
 * @throws {WaitTimeoutError} after `timeout`, with the stack of the call; the signal's reason when it aborts.
 */
export function waitFor<T>(
  probe: (signal: AbortSignal) => Promise<T | undefined | false> | T | undefined | false,
  options: WaitOptions = {},
): Promise<T> {
  return waitAt(waitFor, probe, options);
}

/**
 * Like `waitFor`, for functions that are built on it.
 * @param callee the function that the program called: the error points at that call.
 */
export async function waitAt<T>(
  callee: (...args: never[]) => unknown,
  probe: Parameters<typeof waitFor<T>>[0],
  options: WaitOptions,
): Promise<T> {
  const withCaller = rememberCaller(callee);
  const { message = 'the condition', clock = systemClock } = options;
  const timeout = toMilliseconds(options.timeout ?? '10s');
  const interval = toMilliseconds(options.interval ?? 50);
  // Turns a synchronous error of the probe into a rejection.
  const attempt = async (signal: AbortSignal): Promise<T | undefined | false> => probe(signal);
  let lastError: unknown;
  let expiry: WaitTimeoutError | undefined;
  const expired = (): Error => {
    const what = typeof message === 'function' ? message() : message;
    const hint = lastError === undefined ? 'Look at what the probe reads.' : 'See the cause.';
    return (expiry = new WaitTimeoutError(
      `Timed out after ${timeout} ms waiting for ${what}`,
      hint,
      lastError,
    ));
  };
  const probing = async (signal: AbortSignal): Promise<T> => {
    for (;;) {
      try {
        const result = await unlessAborted(attempt(signal), signal);
        if (result !== undefined && result !== false) return result;
        lastError = undefined;
      } catch (error) {
        signal.throwIfAborted();
        lastError = error;
      }
      await sleep(clock, interval, signal);
      signal.throwIfAborted();
    }
  };
  try {
    return await withDeadline(clock, timeout, options.signal, expired, probing);
  } catch (error) {
    throw error === expiry ? withCaller(expiry!) : error;
  }
}
