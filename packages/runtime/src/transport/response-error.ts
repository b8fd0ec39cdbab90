import { ApiError, type FailureStatus } from '../errors/api-error.ts';

/** Reasons for responses without a Status, such as those of a proxy in front of the server. */
const reasons: Record<number, string> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  406: 'NotAcceptable',
  409: 'Conflict',
  410: 'Gone',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

/**
 * Creates the error of an unsuccessful response: from its Status if it has one, otherwise from the HTTP status. Does
 * not quote a response without a Status: it may contain anything.
 * @param retryAfter the delay from the `Retry-After` header, in milliseconds; by default the one in the Status.
 * @param request the method and path, for the message if the response has no Status.
 */
export function responseError(
  code: number,
  body: string,
  retryAfter?: number,
  request: string = 'the request',
): ApiError {
  const status = parseStatus(body);
  const reason = status?.reason || reasons[code] || 'Unknown';
  const failure: FailureStatus = {
    code,
    reason,
    message: status?.message || `The response to ${request} was ${code} ${reason}`,
    foreign: !status,
  };
  if (status?.details) failure.details = status.details;
  return new ApiError(failure, retryAfter ?? secondsOf(status?.details?.retryAfterSeconds));
}

function secondsOf(seconds: unknown): number | undefined {
  return typeof seconds === 'number' && seconds > 0 ? seconds * 1000 : undefined;
}

function parseStatus(body: string): Partial<FailureStatus> | undefined {
  try {
    const parsed = JSON.parse(body) as { kind?: unknown } & Partial<FailureStatus>;
    return parsed?.kind === 'Status' ? parsed : undefined;
  } catch {
    return undefined;
  }
}
