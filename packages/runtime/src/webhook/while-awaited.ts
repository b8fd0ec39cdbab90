import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from 'ots-apimachinery/clock/clock';
import { withDeadline } from '../clock/with-deadline.ts';
import { toMilliseconds } from '../duration/to-milliseconds.ts';
import { RuntimeError } from '../errors/runtime-error.ts';

/** The reason why the signal of a webhook handler aborts: the API server no longer waits for the response. */
class HungUpError extends RuntimeError {
  readonly code = 'HUNG_UP';

  constructor(message: string) {
    super(message, 'Respond faster, or raise timeoutSeconds in the webhook configuration (30 at most).');
  }
}

/** How long an API server waits for a webhook at most, in milliseconds. */
const maxTimeoutMs = 30_000;

/**
 * Runs `work` under a signal that aborts when the client hangs up, or when its timeout is over, which the API server
 * sends in the query: `?timeout=10s`.
 */
export async function whileAwaited<T>(
  request: IncomingMessage,
  response: ServerResponse,
  clock: Clock,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const gone = new AbortController();
  const hungUp = (): void => gone.abort(new HungUpError('The API server hung up'));
  const timeout = timeoutOf(request.url ?? '');
  const expired = (): Error => new HungUpError(`The API server waits no longer than ${timeout} ms`);
  response.once('close', hungUp);
  try {
    return await withDeadline(clock, timeout, gone.signal, expired, work);
  } finally {
    response.off('close', hungUp);
  }
}

function timeoutOf(url: string): number {
  const text = new URLSearchParams(url.split('?')[1]).get('timeout');
  if (text === null) return maxTimeoutMs;
  try {
    return Math.min(toMilliseconds(text), maxTimeoutMs);
  } catch {
    return maxTimeoutMs;
  }
}
