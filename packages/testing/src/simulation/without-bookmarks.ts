import type { ConnectionConfig } from 'ots-runtime';

const parameter = '&allowWatchBookmarks=true';

/**
 * The same connection for components whose watches cost nothing while nothing happens: they ask for no bookmarks. These show that a
 * watch lives and keep its version young, and the watches of a simulation neither die silently nor outlive the history of the server.
 */
export function withoutBookmarks(connection: ConnectionConfig): ConnectionConfig {
  const { exchange } = connection;
  if (!exchange) return connection;
  return {
    ...connection,
    exchange: (request) => {
      const path = request.path.replace(parameter, '');
      return exchange(path === request.path ? request : { ...request, path });
    },
  };
}
