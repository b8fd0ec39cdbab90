import type { ApiServer } from 'ots-apiserver';
import type { ConnectionConfig } from 'ots-runtime';
import { ArrivalAtOnce } from './arrival-at-once.ts';
import { mirrorOf } from './mirror-of.ts';

/** How components of a cluster reach a server in the same process: their requests need no network, and their caches no requests. */
export function besideServer(
  server: Pick<ApiServer, 'connection' | 'exchange' | 'mirror'>,
): ConnectionConfig {
  return {
    ...server.connection,
    exchange: (request) => server.exchange(request),
    mirror: mirrorOf(server, () => new ArrivalAtOnce()),
  };
}
