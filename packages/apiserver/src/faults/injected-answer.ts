import type { Reply } from '../http/reply.ts';
import { expired, modified } from '../status/errors.ts';
import { StatusError } from '../status/status-error.ts';
import type { AnswerEffect, FaultAnswer } from './fault-effect.ts';
import type { FaultedRequest } from './fault.ts';

/** What kube-apiserver answers in each case: the status, or the text of a filter that runs before any handler. */
const answers: Record<FaultAnswer, (request: FaultedRequest, retryAfterSeconds?: number) => Reply> = {
  Conflict({ group, resource, name }) {
    throw modified({ group, name: resource }, name);
  },
  Expired() {
    throw expired('The resourceVersion for the provided list is too old.');
  },
  /** An error of etcd has no reason. */
  InternalError() {
    throw new StatusError(500, undefined, 'etcdserver: request timed out');
  },
  /** A server that shuts down, or one whose aggregated API is not available. */
  ServiceUnavailable(_, retryAfterSeconds = 0) {
    if (retryAfterSeconds === 0) return plainText(503, 'service unavailable', 0);
    const { status } = new StatusError(503, 'ServiceUnavailable', 'apiserver is shutting down');
    const body = `${JSON.stringify(status)}\n`;
    return { code: 503, contentType: 'application/json', body, headers: headersOf(retryAfterSeconds) };
  },
  Timeout: () => requestTimeout(),
  /** Priority and fairness, which answers before the request has a format. */
  TooManyRequests: (_, retryAfterSeconds = 1) =>
    plainText(429, 'Too many requests, please try again later.', retryAfterSeconds),
};

/**
 * The answer to a request.
 *
 * @throws {StatusError} where the answer is a Status in the format that the client accepts
 */
export function injectedAnswer({ answer, retryAfterSeconds }: AnswerEffect, request: FaultedRequest): Reply {
  return answers[answer](request, retryAfterSeconds);
}

/** What kube-apiserver answers when it has worked on a request for too long: a Status without a type, as text. */
export function requestTimeout(): Reply {
  const message = 'Timeout: request did not complete within the allotted timeout';
  const status = { metadata: {}, status: 'Failure', message, reason: 'Timeout', details: {}, code: 504 };
  return { code: 504, contentType: 'text/plain; charset=utf-8', body: `${JSON.stringify(status)}\n` };
}

/** As Go's `http.Error` writes it. */
function plainText(code: number, text: string, retryAfterSeconds: number): Reply {
  return {
    code,
    contentType: 'text/plain; charset=utf-8',
    body: `${text}\n`,
    headers: headersOf(retryAfterSeconds),
  };
}

function headersOf(retryAfterSeconds: number): Record<string, string> {
  return {
    'X-Content-Type-Options': 'nosniff',
    ...(retryAfterSeconds > 0 && { 'Retry-After': `${retryAfterSeconds}` }),
  };
}
