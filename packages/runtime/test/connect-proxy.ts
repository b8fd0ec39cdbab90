import { createServer as createPlainServer } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, type Socket, connect } from 'node:net';

interface ConnectProxyOptions {
  /** `user:password`; without it, all may use the proxy. */
  login?: string;
  /** Makes it an https proxy. */
  certificate?: { cert: string; key: string };
}

/** An HTTP proxy for tests that opens tunnels to ports of this machine, and remembers to where. */
export async function startConnectProxy({ login, certificate }: ConnectProxyOptions = {}) {
  const tunnels: string[] = [];
  const sockets = new Set<Socket>();
  const server = certificate ? createServer(certificate) : createPlainServer();
  server.on('connect', ({ url = '', headers }, client: Socket) => {
    tunnels.push(url);
    if (login && headers['proxy-authorization'] !== `Basic ${Buffer.from(login).toString('base64')}`) {
      client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      return;
    }
    const upstream = connect(Number(url.split(':')[1]), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      upstream.pipe(client).pipe(upstream);
    });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    tunnels,
    close: async (): Promise<void> => {
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
