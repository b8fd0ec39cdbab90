import type { Server as HttpServer } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { errorMessage } from '../errors/error-message.ts';
import { ListenError } from './listen-error.ts';

export interface ListenOptions {
  /** 0 takes any free port. */
  port: number;
  /** All addresses by default. */
  host?: string | undefined;
}

/** Slow senders are cut off: nobody needs longer to send a request of a few megabytes. */
const requestTimeout = 30_000;

/** One listening socket of the manager, from bind to close. */
export class Listener {
  readonly #name: string;
  readonly #server: HttpServer | HttpsServer;
  readonly #options: ListenOptions;

  /** @param name what the server is for, in messages. */
  constructor(name: string, server: HttpServer | HttpsServer, options: ListenOptions) {
    this.#name = name;
    this.#server = server;
    this.#options = options;
    server.requestTimeout = requestTimeout;
  }

  /** The port that it listens on, once it does. */
  get port(): number | undefined {
    return (this.#server.address() as AddressInfo | null)?.port;
  }

  /** @throws {ListenError} when the port is taken or may not be used. */
  async open(): Promise<void> {
    const { port, host } = this.#options;
    await new Promise<void>((resolve, reject) => {
      const failed = (error: Error): void => reject(this.#listenError(error));
      this.#server.once('error', failed);
      this.#server.listen({ port, ...(host !== undefined && { host }) }, () => {
        this.#server.off('error', failed);
        resolve();
      });
    });
  }

  /** Takes no more connections and resolves when the requests under way are answered. */
  async close(): Promise<void> {
    if (!this.#server.listening) return;
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeIdleConnections();
    });
  }

  /** Cuts off the requests under way. */
  closeNow(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #listenError(error: NodeJS.ErrnoException): ListenError {
    const { port, host } = this.#options;
    const taken = error.code === 'EADDRINUSE';
    return new ListenError(
      taken
        ? `port ${port} for ${this.#name} is in use`
        : `cannot listen on ${host ?? ''}:${port} for ${this.#name}: ${errorMessage(error)}`,
      taken ? 'Stop the other process, or choose another port.' : 'Choose another port or host.',
      error,
    );
  }
}
