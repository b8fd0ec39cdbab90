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

/** The answer to a call. */
export interface CallResponse {
  /** The HTTP status. */
  readonly status: number;
  /** When to try again, in seconds. Undefined where the server does not say. */
  readonly retryAfter?: string | undefined;
  readonly body: string;
  /** What a JSON body shows. It must not be changed. */
  readonly object?: object | undefined;
}

/** Answers requests. */
interface LocalHandler {
  handleLocal(request: WholeRequest, connection: LocalConnection): unknown;
  call(request: WholeRequest): Promise<CallResponse | undefined>;
}

/** Lets a handler answer requests of this process, with the bytes that it would send over a network. */
export class LocalExchange {
  readonly #handler: () => LocalHandler;
  readonly #host: string;
  readonly #open = new Set<LocalConnection>();
  #isStopped = false;

  /**
   * @param handler returns that of the running cluster: a restart replaces it
   * @param host the value of the header `host`
   */
  constructor(handler: () => LocalHandler, host: string) {
    this.#handler = handler;
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
      this.#handler().handleLocal(received, connection);
    });
  }

  /** @returns undefined, with nothing done, if that would differ from {@link answer} */
  async call(request: ExchangeRequest): Promise<CallResponse | undefined> {
    request.signal?.throwIfAborted();
    return this.#isStopped ? undefined : this.#handler().call(wholeRequest(request, this.#host));
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
  for (const name of Object.keys(sent)) {
    const value = sent[name]!;
    headers[name] = typeof value === 'string' ? value : value.join(', ');
  }
  const content = typeof body === 'string' ? Buffer.from(body) : (body ?? Buffer.alloc(0));
  return {
    method,
    url: path,
    headers,
    // Few handlers ask for them.
    get headersDistinct() {
      return distinct(sent);
    },
    content,
    complete: true,
    socket: undefined,
  };
}

function distinct(headers: ExchangeRequest['headers']): NodeJS.Dict<string[]> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? [value] : [...value]]),
  );
}
