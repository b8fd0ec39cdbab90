import { type Socket, connect as connectTcp, isIP } from 'node:net';
import type { buildConnector } from 'undici';
import type { Undici } from '../undici.ts';

const version = 5;
const noAuthentication = 0;
const passwordAuthentication = 2;
const byName = 3;
const timeout = 10_000;

/**
 * Connects through a SOCKS5 proxy (RFC 1928, with the password of RFC 1929), which resolves the host name. Like undici's
 * own connectors, and unlike their type says, it returns the socket at once, so a caller that gives up can destroy it.
 * @param tls starts TLS on the connected socket when the server uses TLS.
 */
export function socksConnector(
  undici: Undici,
  proxy: URL,
  tls: buildConnector.BuildOptions,
): buildConnector.connector {
  const connectTls = undici.buildConnector(tls);
  return (options, callback): Socket => {
    const port = Number(options.port) || (options.protocol === 'https:' ? 443 : 80);
    const socket = connectTcp(Number(proxy.port) || 1080, proxy.hostname.replaceAll(/^\[|\]$/g, ''));
    openTunnel(socket, proxy, options.hostname.replaceAll(/^\[|\]$/g, ''), port).then(
      () => {
        if (options.protocol === 'https:') connectTls({ ...options, httpSocket: socket }, callback);
        else callback(null, socket);
      },
      (error: unknown) => callback(error as Error, null),
    );
    return socket;
  };
}

async function openTunnel(socket: Socket, proxy: URL, host: string, port: number): Promise<void> {
  // The next read reports an error that happens between two reads; until then it must not end the process.
  socket.on('error', () => {});
  socket.setNoDelay(true).setKeepAlive(true, 60_000).setTimeout(timeout);
  socket.on('timeout', () =>
    socket.destroy(new Error(`no response from the SOCKS proxy within ${timeout / 1000} s`)),
  );
  try {
    await greet(socket, proxy);
    socket.write(
      Buffer.concat([Buffer.from([version, 1, 0]), address(host), Buffer.from([port >> 8, port & 255])]),
    );
    const [, refusal, , kind = 0] = await read(socket, 4);
    if (refusal !== 0) throw new Error(`the SOCKS proxy refused the connection (code ${refusal})`);
    await read(socket, addressLength(kind, kind === byName ? await read(socket, 1) : undefined) + 2);
  } catch (error) {
    socket.destroy();
    throw error;
  }
  socket.setTimeout(0).removeAllListeners('timeout');
}

async function greet(socket: Socket, { username, password }: URL): Promise<void> {
  const methods = username === '' ? [noAuthentication] : [noAuthentication, passwordAuthentication];
  socket.write(Buffer.from([version, methods.length, ...methods]));
  const [spoken, method = -1] = await read(socket, 2);
  if (spoken !== version || !methods.includes(method)) {
    throw new Error('the SOCKS proxy requires another login method, or is not a SOCKS proxy');
  }
  if (method === noAuthentication) return;
  const user = Buffer.from(decodeURIComponent(username));
  const secret = Buffer.from(decodeURIComponent(password));
  socket.write(Buffer.concat([Buffer.from([1, user.length]), user, Buffer.from([secret.length]), secret]));
  if ((await read(socket, 2))[1] !== 0) throw new Error('the SOCKS proxy refused the user name and password');
}

function address(host: string): Buffer {
  if (isIP(host) === 4) return Buffer.from([1, ...host.split('.').map(Number)]);
  const name = Buffer.from(host);
  return Buffer.concat([Buffer.from([byName, name.length]), name]);
}

function addressLength(kind: number, nameLength: Buffer | undefined): number {
  if (nameLength) return nameLength[0] ?? 0;
  return kind === 1 ? 4 : 16;
}

/** Reads exactly `length` bytes: the rest belongs to the server. */
async function read(socket: Socket, length: number): Promise<Buffer> {
  for (;;) {
    const chunk = socket.read(length) as Buffer | null;
    if (chunk?.length === length) return chunk;
    if (socket.destroyed) throw socket.errored ?? new Error('the SOCKS proxy closed the connection');
    await readable(socket);
  }
}

function readable(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      for (const [event, listener] of listeners) socket.off(event, listener);
      settle();
    };
    const listeners = [
      ['readable', () => end(resolve)],
      ['error', (error: Error) => end(() => reject(error))],
      ['close', () => end(() => reject(new Error('the SOCKS proxy closed the connection')))],
    ] as [string, (error?: unknown) => void][];
    for (const [event, listener] of listeners) socket.on(event, listener);
  });
}
