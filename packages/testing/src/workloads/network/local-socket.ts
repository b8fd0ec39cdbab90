import { Duplex } from 'node:stream';

/**
 * What `connect` of `node:net` would return: it says in the next tick whether it is connected.
 *
 * @param connect throws what the connection fails with
 */
export function localSocket(connect: () => Duplex): Duplex {
  try {
    const connection = connect();
    process.nextTick(() => connection.emit('connect'));
    return connection;
  } catch (error) {
    const failed = new Duplex({ read: () => {}, write: (_chunk, _encoding, written) => written() });
    return failed.destroy(error instanceof Error ? error : new Error(String(error)));
  }
}
