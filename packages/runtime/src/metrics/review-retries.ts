import { isApiError } from '../errors/api-error.ts';
import type { Clock } from 'ots-apimachinery/clock/clock';
import { sleep } from 'ots-apimachinery/clock/sleep';
import { withDeadline } from '../clock/with-deadline.ts';
import { ConnectionError } from '../errors/connection-error.ts';

/** The time for one review with all of its attempts, in milliseconds, as in controller-runtime. */
const timeout = 10_000;
const maxAttempts = 5;
const firstDelay = 500;
const growth = 1.5;
const jitter = 0.2;

/**
 * Requests a review, and retries if the server or the connection to it fails: turning a scraper away while the API
 * server restarts would leave a gap in all metrics.
 * @throws the error of the last attempt; {ConnectionError} after 10 s.
 */
export function withReviewRetries<T>(clock: Clock, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const tooLate = (): Error =>
    new ConnectionError(
      `The API server did not review the request within ${timeout / 1000} s`,
      'Check the load of the API server and the network to it.',
    );
  return withDeadline(clock, timeout, undefined, tooLate, async (signal) => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await ask(signal);
      } catch (error) {
        signal.throwIfAborted();
        if (tries === maxAttempts || !isTransient(error)) throw error;
        await sleep(clock, firstDelay * growth ** (tries - 1) * (1 + Math.random() * jitter), signal);
        signal.throwIfAborted();
      }
    }
  });
}

function isTransient(error: unknown): boolean {
  if (!isApiError(error)) return error instanceof ConnectionError;
  return [429, 500, 504].includes(error.status) || error.retryAfter !== undefined;
}
