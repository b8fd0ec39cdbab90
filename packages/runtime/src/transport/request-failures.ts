import { errorMessage } from '../errors/error-message.ts';
import { ConnectionError, RequestTimeoutError, UnreachableError } from '../errors/connection-error.ts';

/** The server could not be reached. */
export function unreachable(origin: string, cause: unknown): UnreachableError {
  return new UnreachableError(
    `Cannot reach ${origin}: ${errorMessage(cause)}`,
    'Check the server in the kubeconfig, that it is running and that its certificate is trusted.',
    withoutResponseData(cause),
  );
}

/**
 * Returns true when no known authority signed the server's certificate, or it has expired: the codes that Node takes
 * from OpenSSL. A wrong host name does not count: no other authority would help.
 */
export function isUntrusted(error: unknown): boolean {
  const { code } = ((error as Error | undefined)?.cause ?? {}) as { code?: unknown };
  return typeof code === 'string' && /^(CERT|SELF_SIGNED_CERT|DEPTH_ZERO|UNABLE_TO)_/.test(code);
}

/** The connection failed in the middle of a response, or the response was damaged. */
export function brokenOff(request: string, cause: unknown): ConnectionError {
  return new ConnectionError(
    `The response to ${request} was cut off: ${errorMessage(cause)}`,
    'Retry a read; before you retry a write, check whether it was applied.',
    withoutResponseData(cause),
  );
}

/** The server did not respond in time. */
export function timedOut(request: string, milliseconds: number): RequestTimeoutError {
  return new RequestTimeoutError(
    `No response to ${request} within ${milliseconds / 1000} s`,
    'Check the load of the API server and the network to it.',
  );
}

/** The response exceeds the limit. */
export function tooLong(request: string, limit: number): ConnectionError {
  return new ConnectionError(
    `The response to ${request} is longer than ${limit / 2 ** 20} MiB`,
    'Read lists page by page, with client.items or a limit, or only the metadata, with metadataOf.',
  );
}

/** A successful response that is not from the API. Omits the parser's error, which may quote a Secret. */
export function notJson(request: string): ConnectionError {
  return new ConnectionError(
    `The response to ${request} is not JSON`,
    'Check that the server is a Kubernetes API server and not a proxy or a login page.',
  );
}

/** undici's error for a response that is not HTTP contains part of it as `data`, which may be from a Secret. */
function withoutResponseData(cause: unknown): unknown {
  return typeof cause === 'object' && cause !== null && 'data' in cause ? undefined : cause;
}
