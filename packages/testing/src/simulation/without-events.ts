import { Readable } from 'node:stream';
import type { ConnectionConfig, LocalRequest, LocalResponse } from 'ots-runtime';

type Asked = Pick<LocalRequest, 'method' | 'path' | 'body'>;

const eventsPath = /^\/(?:api|apis\/events\.k8s\.io)\/v1\/namespaces\/[^/]+\/events(?:[/?]|$)/;

/**
 * The same connection for components whose Events have no reader: it answers as if the server had stored an Event. Half of all
 * writes about a pod are Events.
 */
export function withoutEvents(connection: ConnectionConfig): ConnectionConfig {
  const { exchange, call } = connection;
  return {
    ...connection,
    ...(exchange && {
      exchange: (request) => (isEvent(request) ? Promise.resolve(responseTo(request)) : exchange(request)),
    }),
    ...(call && {
      call: (request) => (isEvent(request) ? Promise.resolve(answerTo(request)) : call(request)),
    }),
  };
}

function isEvent({ method, path, body }: Asked): boolean {
  return method !== 'GET' && body !== null && eventsPath.test(path);
}

/** A patch of an Event changes what its writer does not look at. */
function answerTo({ method, body }: Asked): { status: number; body: string } {
  return { status: method === 'POST' ? 201 : 200, body: body ?? '' };
}

function responseTo(request: Asked): LocalResponse {
  const { status, body } = answerTo(request);
  const content = Buffer.from(body);
  return {
    status,
    headers: { 'content-type': 'application/json' },
    content,
    get body() {
      return Readable.from([content]);
    },
  };
}
