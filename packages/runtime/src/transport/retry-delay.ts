import { isApiError } from '../client/api-error.ts';

const maxRetries = 5;
/** A server that asks for more than this is better reported than waited for. */
const longestWait = 30_000;

/** Sockets that the server closed while the request was on its way: harmless to repeat for a read. */
const brokenSocket = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/**
 * How long to wait before a failed request is sent again, in milliseconds, or undefined when it must not be.
 * 429 and 503 with `Retry-After` were not processed, so every method is repeated; a broken connection only for GET.
 * @param attempt how many times the request has been repeated so far.
 */
export function retryDelay(error: unknown, method: string, attempt: number): number | undefined {
  if (attempt >= maxRetries) return undefined;
  if (isApiError(error)) {
    const { status, retryAfter } = error;
    const asked = (status === 429 || status === 503) && retryAfter !== undefined && retryAfter <= longestWait;
    return asked ? retryAfter : undefined;
  }
  const cause = (error as { cause?: { code?: unknown } } | undefined)?.cause?.code;
  return method === 'GET' && brokenSocket.has(String(cause)) ? 50 * 2 ** attempt : undefined;
}
