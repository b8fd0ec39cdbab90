import { type IncomingMessage, type Server, createServer } from 'node:http';
import { type Server as SecureServer, createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { TlsOptions } from 'node:tls';
import type { HttpRequest, HttpResponse } from './http-message.ts';

/** The maximum size of a request's head, including its URL, in bytes, like kube-apiserver. Selectors may be long. */
const maxHeaderSize = 1024 * 1024;

/** A server certificate with its key, and the authority of client certificates, in PEM. */
export interface TlsMaterial {
  readonly key: string;
  readonly cert: string;
  readonly clientAuthority: string;
}

/** Handles requests. */
export interface Handlers {
  handle: (request: HttpRequest, response: HttpResponse) => void;
  /** Takes over the connection of a request for another protocol; false to answer through {@link handle}. */
  handleSocket: (request: IncomingMessage, socket: Socket) => Promise<boolean>;
}

/** A running HTTP server and its connections. */
export class HttpListener {
  readonly #server: Server | SecureServer;
  readonly #scheme: 'http' | 'https';
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server | SecureServer, scheme: 'http' | 'https') {
    this.#server = server;
    this.#scheme = scheme;
    server.on('connection', (socket) => {
      if (this.#sockets.has(socket)) return;
      this.#sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('close', () => this.#sockets.delete(socket));
    });
  }

  /**
   * Starts to listen.
   *
   * @param port 0 for a free one
   * @param tls undefined for plain HTTP
   * @throws the error of the operating system, such as EADDRINUSE
   */
  static async start(
    { handle, handleSocket }: Handlers,
    { port, host, tls }: { port: number; host: string; tls?: TlsMaterial | undefined },
  ): Promise<HttpListener> {
    const options = { keepAliveTimeout: 60_000, maxHeaderSize };
    const server = tls
      ? createSecureServer({ ...options, ...secureOptions(tls) }, handle)
      : createServer(options, handle);
    const listener = new HttpListener(server, tls ? 'https' : 'http');
    server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
      // A client that disconnects is not a server error.
      socket.on('error', () => socket.destroy());
      if (head.length > 0) socket.unshift(head);
      void handleSocket(request, socket).then((isTaken) => {
        if (!isTaken) listener.#readAgain(request, socket);
      });
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, () => {
        server.removeListener('error', reject);
        resolve();
      });
    });
    return listener;
  }

  /**
   * Lets Node handle a request as one without an upgrade. With an upgrade listener Node does not read the body of
   * such requests, and other clients ask for upgrades too: Java's offers HTTP/2 with every request.
   */
  #readAgain({ method, url, httpVersion, rawHeaders }: IncomingMessage, socket: Socket): void {
    const lines = [`${method} ${url} HTTP/${httpVersion}`];
    for (let index = 0; index < rawHeaders.length; index += 2) {
      const [name = '', value = ''] = rawHeaders.slice(index);
      // The parser looks for the exact word; the handlers of exec and the like look for it anywhere.
      const isConnection = name.toLowerCase() === 'connection';
      lines.push(`${name}: ${isConnection ? value.replace(/\bupgrade\b/i, 'not-upgrade') : value}`);
    }
    socket.unshift(Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'));
    this.#server.emit(this.#scheme === 'https' ? 'secureConnection' : 'connection', socket);
    socket.resume();
  }

  /** Such as `http://127.0.0.1:34567`. */
  get url(): string {
    const { address, family, port } = this.#bound;
    return `${this.#scheme}://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
  }

  get port(): number {
    return this.#bound.port;
  }

  get #bound(): AddressInfo {
    const bound = this.#server.address();
    if (bound === null || typeof bound === 'string') throw new Error('the server does not listen on a port');
    return bound;
  }

  /** Stops listening and closes every connection, including open watches. */
  async stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}

/** Asks for a client certificate, but accepts clients without one. The authenticator checks the certificates. */
function secureOptions({ key, cert, clientAuthority }: TlsMaterial): TlsOptions {
  return { key, cert, ca: clientAuthority, requestCert: true, rejectUnauthorized: false };
}
