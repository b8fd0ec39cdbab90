import { type RequestListener, type Server, createServer } from 'node:http';
import { type Server as SecureServer, createServer as createSecureServer } from 'node:https';
import type { Socket } from 'node:net';

/** A running HTTP server and every connection to it. */
export class HttpListener {
  readonly #server: Server | SecureServer;
  readonly #scheme: 'http' | 'https';
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server | SecureServer, scheme: 'http' | 'https') {
    this.#server = server;
    this.#scheme = scheme;
    server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('close', () => this.#sockets.delete(socket));
    });
  }

  /**
   * Starts to listen.
   *
   * @param port 0 for a free one
   * @param tls key and certificate, as PEM; plain HTTP without them
   * @throws the error of the operating system, such as EADDRINUSE
   */
  static async start(
    handler: RequestListener,
    { port, host, tls }: { port: number; host: string; tls?: { key: string; cert: string } | undefined },
  ): Promise<HttpListener> {
    const options = { keepAliveTimeout: 60_000 };
    const server = tls ? createSecureServer({ ...options, ...tls }, handler) : createServer(options, handler);
    const listener = new HttpListener(server, tls ? 'https' : 'http');
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, () => {
        server.removeListener('error', reject);
        resolve();
      });
    });
    return listener;
  }

  /** Such as `http://127.0.0.1:34567`. */
  get url(): string {
    const bound = this.#server.address();
    if (bound === null || typeof bound === 'string') throw new Error('the server does not listen on a port');
    const { address, family, port } = bound;
    return `${this.#scheme}://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
  }

  /** Stops listening and cuts every connection, running watches too. */
  async stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}
