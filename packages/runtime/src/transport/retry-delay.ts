import { isApiError } from '../errors/api-error.ts';

/**
 * Parses a `Retry-After` header, which contains seconds or an HTTP date (RFC 9110, 10.2.3).
 * @param epoch the current time, in milliseconds since 1970.
 * @returns the delay, in milliseconds; undefined if the header is missing or cannot be parsed.
 */
export function parseRetryAfter(header: string | undefined, epoch: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  // Date.parse also accepts texts that are not HTTP dates, such as "-1"; HTTP dates contain the name of a month.
  const date = /[A-Za-z]{3}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - epoch);
}

const maxRetries = 5;
/** If a server asks for a longer delay, report the error instead of waiting. */
const maxWaitMs = 30_000;
const firstBackoff = 50;

/** The server closed the socket while the request was in flight: a read is safe to retry. */
const brokenSocket = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/**
 * Returns how long to wait before retrying a failed request, in milliseconds, or undefined when it must not be retried.
 * The server did not process a request that got 429, or 503 with `Retry-After`, so every method is retried; after a
 * broken connection only GET is. Each delay grows by up to a quarter, so clients that failed together do not retry
 * together.
 * @param attempt how many retries have been made so far.
 * @param random a number in [0, 1).
 */
export function retryDelay(
  error: unknown,
  method: string,
  attempt: number,
  random: number,
): number | undefined {
  if (attempt >= maxRetries) return undefined;
  const delay = isApiError(error)
    ? askedDelay(error.status, error.retryAfter)
    : reconnectDelay(error, method, attempt);
  return delay === undefined ? undefined : Math.round(delay * (1 + random / 4));
}

function askedDelay(status: number, retryAfter: number | undefined): number | undefined {
  const asked = (status === 429 || status === 503) && retryAfter !== undefined && retryAfter <= maxWaitMs;
  // "Retry-After: 0" or a date in the past would cause a hot loop.
  return asked ? Math.max(retryAfter, firstBackoff) : undefined;
}

function reconnectDelay(error: unknown, method: string, attempt: number): number | undefined {
  const cause = (error as { cause?: { code?: unknown } } | undefined)?.cause?.code;
  return method === 'GET' && brokenSocket.has(String(cause)) ? firstBackoff * 2 ** attempt : undefined;
}
