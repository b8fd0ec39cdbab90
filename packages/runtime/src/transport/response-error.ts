import { ApiError, type FailureStatus } from '../client/api-error.ts';

/** Reasons for answers that carry no Status, as from a proxy in front of the server. */
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

/** Longest piece of a foreign answer that goes into a message. */
const excerptLength = 200;

/** The error of an answer that is no success: from its Status when it has one, else from the HTTP status. */
export function responseError(code: number, body: string, retryAfterHeader?: string | string[]): ApiError {
  const status = parseStatus(body);
  const reason = status?.reason || reasons[code] || 'Unknown';
  const failure: FailureStatus = {
    code,
    reason,
    message: status?.message || excerpt(body) || `the server answered ${code} ${reason}`,
  };
  if (status?.details) failure.details = status.details;
  return new ApiError(failure, retryAfter(retryAfterHeader, status));
}

function retryAfter(
  header: string | string[] | undefined,
  status: Partial<FailureStatus> | undefined,
): number | undefined {
  const seconds = Number(header ?? status?.details?.retryAfterSeconds);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined;
}

function parseStatus(body: string): Partial<FailureStatus> | undefined {
  try {
    const parsed = JSON.parse(body) as { kind?: unknown } & Partial<FailureStatus>;
    return parsed?.kind === 'Status' ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function excerpt(body: string): string {
  return body.trim().replaceAll(/\s+/g, ' ').slice(0, excerptLength);
}
