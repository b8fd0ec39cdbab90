import { Readable } from 'node:stream';
import type { ConnectionConfig, LocalRequest, LocalResponse } from 'ots-runtime';

const eventsPath = /^\/(?:api|apis\/events\.k8s\.io)\/v1\/namespaces\/[^/]+\/events(?:[/?]|$)/;

/**
 * The same connection for components whose Events have no reader: it answers as if the server had stored an Event. Half of all
 * writes about a pod are Events.
 */
export function withoutEvents(connection: ConnectionConfig): ConnectionConfig {
  const { exchange } = connection;
  if (!exchange) return connection;
  return {
    ...connection,
    exchange: (request) => {
      const isEvent = request.method !== 'GET' && request.body !== null && eventsPath.test(request.path);
      return isEvent ? Promise.resolve(asIfStored(request)) : exchange(request);
    },
  };
}

/** A patch of an Event changes what its writer does not look at. */
function asIfStored({ method, body }: LocalRequest): LocalResponse {
  const content = Buffer.from(body ?? '');
  return {
    status: method === 'POST' ? 201 : 200,
    headers: { 'content-type': 'application/json' },
    content,
    get body() {
      return Readable.from([content]);
    },
  };
}
