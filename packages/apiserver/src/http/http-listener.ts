import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { Socket } from 'node:net';

/** A running HTTP server and every connection to it. */
export class HttpListener {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server) {
    this.#server = server;
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
   * @throws the error of the operating system, such as EADDRINUSE
   */
  static async start(
    handler: (request: IncomingMessage, response: ServerResponse) => void,
    { port, host }: { port: number; host: string },
  ): Promise<HttpListener> {
    const server = createServer({ keepAliveTimeout: 60_000 }, handler);
    const listener = new HttpListener(server);
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
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
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
