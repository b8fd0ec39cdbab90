import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { endResponse } from '../http/end-response.ts';
import type { Handlers } from '../http/http-listener.ts';
import { StatusError } from '../status/status-error.ts';

/** The paths that need no token, as in a real server: health and version. */
const open = /^\/(?:healthz|livez|readyz|version)(?:[/?]|$)/;

/** Rejects requests without the token with 401. */
export function requireToken(token: string, { handle, handleSocket }: Handlers): Handlers {
  const expected = digest(token);
  const isAllowed = (request: IncomingMessage) => {
    const sent = bearerToken(request);
    if (sent === undefined) return open.test(request.url ?? '');
    return timingSafeEqual(digest(sent), expected);
  };
  return {
    handle: (request, response) =>
      isAllowed(request) ? handle(request, response) : refuse(request, response),
    handleSocket: async (request, socket) => isAllowed(request) && handleSocket(request, socket),
  };
}

function refuse(request: IncomingMessage, response: ServerResponse): void {
  const body = JSON.stringify(new StatusError(401, 'Unauthorized', 'Unauthorized').status);
  response.writeHead(401, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-cache, private',
    // Nothing reads the body.
    ...(!request.complete && { Connection: 'close' }),
  });
  endResponse(response, body);
}

function bearerToken({ headers: { authorization = '' } }: IncomingMessage): string | undefined {
  return /^bearer +(\S+) *$/i.exec(authorization)?.[1];
}

/** The digests have one length whatever the token, so a comparison takes constant time. */
function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
