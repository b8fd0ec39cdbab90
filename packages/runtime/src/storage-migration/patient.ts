import { sleep } from 'ots-apimachinery/clock/sleep';
import { isApiError } from '../errors/api-error.ts';
import { isConnectionError } from '../errors/connection-error.ts';
import type { MigrationTools } from './migration-tools.ts';

/** The delays before a request is repeated that the server did not perform, in milliseconds. */
const delays = [1000, 2000, 4000, 8000, 15_000, 30_000];

/**
 * Sends a request in its turn, and again if the server is not able to perform it now. For requests that may be performed
 * twice.
 * @throws what the last attempt failed with; the signal's reason.
 */
export async function patient<T>(
  { clock, pace, signal }: MigrationTools,
  send: () => Promise<T>,
): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    await pace.turn(signal);
    try {
      return await send();
    } catch (error) {
      signal?.throwIfAborted();
      const delay = delays[attempt];
      if (delay === undefined || !isPassing(error)) throw error;
      await sleep(clock, delay, signal);
      signal?.throwIfAborted();
    }
  }
}

/** The server is overloaded, down or starting. A 500 is not passing: a webhook that fails for this object causes it. */
function isPassing(error: unknown): boolean {
  if (isApiError(error)) return [429, 502, 503, 504].includes(error.status);
  return isConnectionError(error);
}
