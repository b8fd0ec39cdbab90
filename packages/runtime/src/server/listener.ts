import { once } from 'node:events';
import type { Server as HttpServer, RequestListener, ServerResponse } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { errorMessage } from '../errors/error-message.ts';
import { RuntimeError } from '../errors/runtime-error.ts';
import { serverLimits } from './server-limits.ts';

/** A server of the manager cannot listen on its address. */
export class ListenError extends RuntimeError {
  /** Stable; to branch on. */
  readonly code = 'CANNOT_LISTEN';
}

/** Where a server listens. */
export interface ListenOptions {
  /** 0 takes any free port. */
  port: number;
  /** All addresses by default. */
  host?: string | undefined;
}

/** One listening socket of the manager, from bind to close. */
export class Listener {
  readonly #name: string;
  readonly #server: HttpServer | HttpsServer;
  readonly #options: ListenOptions;
  /** All open sockets, below TLS: Node does not count a connection before its handshake is finished. */
  readonly #sockets = new Set<Socket>();
  readonly #underWay = new Set<ServerResponse>();
  #isClosing = false;

  /** @param name what the server is for, in messages. */
  constructor(name: string, server: HttpServer | HttpsServer, options: ListenOptions) {
    this.#name = name;
    this.#server = server;
    this.#options = options;
    server.requestTimeout = serverLimits.requestTimeout;
    server.headersTimeout = serverLimits.headersTimeout;
    server.keepAliveTimeout = serverLimits.keepAliveTimeout;
    // A connection that cannot be accepted, for lack of memory or buffers, must not end the process, as it would
    // without a listener.
    server.on('error', () => {});
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    server.prependListener('request', (_request, response: ServerResponse) => {
      this.#underWay.add(response);
      if (this.#isClosing) announceEnd(response);
      response.once('close', () => {
        this.#underWay.delete(response);
        if (this.#isClosing) setImmediate(() => server.closeIdleConnections());
      });
    });
  }

  /** Answers a request that did not arrive through a socket, like any other. */
  readonly handle: RequestListener = (request, response) => {
    this.#server.emit('request', request, response);
  };

  /** The port; undefined until the server listens. */
  get port(): number | undefined {
    return (this.#server.address() as AddressInfo | null)?.port;
  }

  /**
   * @param signal stops waiting for what must happen first; the call rejects with its reason.
   * @throws {ListenError} when the port is taken or may not be used.
   */
  async open(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const { port, host } = this.#options;
    await new Promise<void>((resolve, reject) => {
      const failed = (error: Error): void => {
        this.#server.off('listening', listening);
        reject(this.#listenError(error));
      };
      const listening = (): void => {
        this.#server.off('error', failed);
        resolve();
      };
      this.#server.once('error', failed);
      this.#server.once('listening', listening);
      this.#server.listen({ port, ...(host !== undefined && { host }) });
    });
  }

  /** Accepts no more connections and resolves when the requests in progress are finished. */
  async close(): Promise<void> {
    this.#isClosing = true;
    for (const response of this.#underWay) announceEnd(response);
    if (!this.#server.listening) return;
    const busy = new Set([...this.#underWay].map(({ req }) => peerOf(req.socket)));
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      // Node's closeIdleConnections skips connections that have not sent a request yet.
      for (const socket of this.#sockets) if (!busy.has(peerOf(socket))) socket.destroy();
    });
    // Those that did not arrive through a socket.
    await Promise.all([...this.#underWay].map((response) => once(response, 'close')));
  }

  /** Aborts the requests in progress. */
  closeNow(): void {
    this.#isClosing = true;
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    for (const response of this.#underWay) response.destroy();
  }

  #listenError(error: NodeJS.ErrnoException): ListenError {
    const { port, host } = this.#options;
    const where = host === undefined ? `port ${port}` : `${host}:${port}`;
    switch (error.code) {
      case 'EADDRINUSE':
        return new ListenError(
          `${where} for ${this.#name} is in use`,
          'Stop the other process, or choose another port.',
          error,
        );
      case 'EACCES':
        return new ListenError(
          `${where} for ${this.#name} is not permitted for this process`,
          'Choose port 1024 or higher.',
          error,
        );
      default:
        return new ListenError(
          `Cannot listen on ${where} for ${this.#name}: ${errorMessage(error)}`,
          'Choose another port or host.',
          error,
        );
    }
  }
}

/** Identifies a connection: the socket below TLS is not the one above it. */
function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

/** Tells the client to send its next request elsewhere. Without that it goes to a connection that is about to close. */
function announceEnd(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
}

/** Returns the path and the query of a request target. Never throws, unlike `new URL` for targets such as `//`. */
export function requestTarget(target = '/'): { path: string; query: URLSearchParams } {
  const [path = '/', ...query] = target.split('?');
  return { path, query: new URLSearchParams(query.join('?')) };
}
