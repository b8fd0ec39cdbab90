import { type Duplex, duplexPair } from 'node:stream';

/** The two sides of a connection without a socket. */
export interface LocalConnection {
  readonly client: Duplex;
  readonly server: Duplex;
}

/**
 * Connects to a server of this process. A client that has ended its side still receives, and ends it when the server has.
 *
 * @param serve receives the side of the server when the caller has that of the client
 */
export function connectTcp(serve: (server: Duplex) => void): LocalConnection {
  const [client, server] = duplexPair();
  // A client that is gone is not an error of the application.
  server.on('error', () => {});
  client.once('end', () => client.end());
  client.once('close', () => server.destroy());
  process.nextTick(() => serve(server));
  return { client, server };
}
