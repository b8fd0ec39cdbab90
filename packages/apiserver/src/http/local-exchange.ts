import type { IncomingHttpHeaders } from 'node:http';
import type { WholeRequest } from './http-message.ts';
import { type ExchangeResponse, LocalConnection, connectionError, disconnected } from './local-connection.ts';

/** A request of this process, which needs no network. */
export interface ExchangeRequest {
  /** Such as `GET`. */
  readonly method: string;
  /** The path with its query, encoded. */
  readonly path: string;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** Default none. */
  readonly body?: string | Buffer | null;
  /** Disconnects the client when it aborts. Default never. */
  readonly signal?: AbortSignal;
}

/** Answers a request. */
type Handle = (request: WholeRequest, connection: LocalConnection) => unknown;

/** Lets a handler answer requests of this process, with the bytes that it would send over a network. */
export class LocalExchange {
  readonly #handle: Handle;
  readonly #host: string;
  readonly #open = new Set<LocalConnection>();
  #isStopped = false;

  /** @param host the value of the header `host` */
  constructor(handle: Handle, host: string) {
    this.#handle = handle;
    this.#host = host;
  }

  /**
   * @returns the response when its head is complete
   * @throws the reason of the signal when it aborts before; an error with the code `ECONNRESET` when the server ends the
   *   connection before, and `ECONNREFUSED` after {@link stop}
   */
  async answer(request: ExchangeRequest): Promise<ExchangeResponse> {
    const { signal } = request;
    signal?.throwIfAborted();
    if (this.#isStopped) throw connectionError('ECONNREFUSED', 'the server has stopped');
    return new Promise((resolve, reject) => {
      let hasBegun = false;
      const received = wholeRequest(request, this.#host);
      const connection = new LocalConnection(received, (response) => {
        hasBegun = true;
        resolve(response);
      });
      const disconnect = () => {
        reject(signal?.reason);
        connection.disconnect(signal?.reason);
      };
      signal?.addEventListener('abort', disconnect, { once: true });
      this.#open.add(connection);
      connection.once('close', () => {
        this.#open.delete(connection);
        signal?.removeEventListener('abort', disconnect);
        // A stack costs time, so only a response that never began gets an error.
        if (!hasBegun) reject(disconnected());
      });
      this.#handle(received, connection);
    });
  }

  /** Accepts requests again after {@link stop}. */
  resume(): void {
    this.#isStopped = false;
  }

  /** Ends every request and watch. */
  stop(): void {
    this.#isStopped = true;
    for (const connection of this.#open) connection.disconnect(undefined);
  }
}

function wholeRequest({ method, path, headers: sent, body }: ExchangeRequest, host: string): WholeRequest {
  const headers: IncomingHttpHeaders = { host };
  const headersDistinct: NodeJS.Dict<string[]> = {};
  for (const [name, value] of Object.entries(sent)) {
    const values = typeof value === 'string' ? [value] : [...value];
    headersDistinct[name] = values;
    headers[name] = values.join(', ');
  }
  const content = typeof body === 'string' ? Buffer.from(body) : (body ?? Buffer.alloc(0));
  return { method, url: path, headers, headersDistinct, content, complete: true, socket: undefined };
}
