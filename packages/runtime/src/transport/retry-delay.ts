import { isApiError } from '../errors/api-error.ts';

/**
 * How long a `Retry-After` header asks to wait, in milliseconds: it holds seconds or an HTTP date (RFC 9110, 10.2.3).
 * @param epoch the time of day, in milliseconds since 1970.
 * @returns undefined if the header is missing or cannot be parsed.
 */
export function parseRetryAfter(header: string | undefined, epoch: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  // Date.parse accepts much that is not an HTTP date, such as "-1"; HTTP dates contain the name of a month.
  const date = /[A-Za-z]{3}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - epoch);
}

const maxRetries = 5;
/** A server that asks for more than this is better reported than waited for. */
const maxWaitMs = 30_000;
const firstBackoff = 50;

/** Sockets that the server closed while the request was on its way: harmless to repeat for a read. */
const brokenSocket = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/**
 * How long to wait before a failed request is sent again, in milliseconds, or undefined when it must not be. 429 and
 * 503 with `Retry-After` were not processed, so every method is repeated; a broken connection only for GET. Up to a
 * quarter is added to every delay: clients that were refused together do not retry together.
 * @param attempt how many times the request has been repeated so far.
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
  // "Retry-After: 0" and a date that has passed would be a hot loop.
  return asked ? Math.max(retryAfter, firstBackoff) : undefined;
}

function reconnectDelay(error: unknown, method: string, attempt: number): number | undefined {
  const cause = (error as { cause?: { code?: unknown } } | undefined)?.cause?.code;
  return method === 'GET' && brokenSocket.has(String(cause)) ? firstBackoff * 2 ** attempt : undefined;
}
