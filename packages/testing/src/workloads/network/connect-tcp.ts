import { type Duplex, duplexPair } from 'node:stream';

/** The two sides of a connection without a socket. */
export interface LocalConnection {
  readonly client: Duplex;
  readonly server: Duplex;
}

/**
 * Connects to a server of this process.
 *
 * @param serve receives the side of the server when the caller has that of the client
 * @param allowHalfOpen whether a side whose peer has ended can still write; default false, as for sockets of Node.js
 */
export function connectTcp(serve: (server: Duplex) => void, allowHalfOpen = false): LocalConnection {
  const [client, server] = duplexPair({ allowHalfOpen });
  // A client that is gone is not an error of the application.
  server.on('error', () => {});
  client.once('close', () => server.destroy());
  process.nextTick(() => serve(server));
  return { client, server };
}
