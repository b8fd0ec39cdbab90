import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { Readable, Writable } from 'node:stream';
import type { HttpRequest, HttpResponse } from './http-message.ts';

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

/** The response to a request of this process. */
export interface ExchangeResponse {
  readonly status: number;
  /** By their names in lower case. */
  readonly headers: IncomingHttpHeaders;
  /** Not reading it holds back the server, as a slow client does; destroying it disconnects. */
  readonly body: Readable;
}

/** Answers a request. */
type Handle = (request: HttpRequest, response: HttpResponse) => unknown;

/** Lets a handler answer requests of this process, with the bytes that it would send over a network. */
export class LocalExchange {
  readonly #handle: Handle;
  readonly #host: string;
  readonly #open = new Set<LocalResponse>();
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
      const response = new LocalResponse(new LocalRequest(request, this.#host), resolve);
      const disconnect = () => {
        reject(signal?.reason);
        response.disconnect(signal?.reason);
      };
      signal?.addEventListener('abort', disconnect, { once: true });
      this.#open.add(response);
      response.once('close', () => {
        this.#open.delete(response);
        signal?.removeEventListener('abort', disconnect);
        // A stack costs time, so only a response that never began gets an error.
        if (!response.headersSent) reject(disconnected());
      });
      this.#handle(response.req, response);
    });
  }

  /** Accepts requests again after {@link stop}. */
  resume(): void {
    this.#isStopped = false;
  }

  /** Ends every request and watch. */
  stop(): void {
    this.#isStopped = true;
    for (const response of this.#open) response.disconnect(undefined);
  }
}

/** What a client sees when the server closes the connection in the middle of a response. */
function disconnected(): Error {
  return connectionError('ECONNRESET', 'the server closed the connection');
}

function connectionError(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

class LocalRequest extends Readable implements HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly headersDistinct: NodeJS.Dict<string[]> = {};
  readonly complete = true;
  readonly socket = undefined;
  readonly #body: string | Buffer | null;

  constructor({ method, path, headers, body = null }: ExchangeRequest, host: string) {
    super();
    this.method = method;
    this.url = path;
    this.#body = body;
    this.headers = { host };
    for (const [name, value] of Object.entries(headers)) {
      const values = typeof value === 'string' ? [value] : [...value];
      this.headersDistinct[name] = values;
      this.headers[name] = values.join(', ');
    }
  }

  override _read(): void {
    if (this.#body !== null && this.#body.length > 0) this.push(this.#body);
    this.push(null);
  }
}

class LocalResponse extends Writable implements HttpResponse {
  readonly req: HttpRequest;
  headersSent = false;
  readonly #begin: (response: ExchangeResponse) => void;
  readonly #headers: IncomingHttpHeaders = {};
  readonly #body: Readable;
  #status = 200;
  /** Continues to write when the client has read. */
  #proceed: (() => void) | undefined;

  /** @param begin receives the response when its head is complete */
  constructor(req: HttpRequest, begin: (response: ExchangeResponse) => void) {
    super();
    this.req = req;
    this.#begin = begin;
    this.#body = new Readable({
      read: () => {
        const proceed = this.#proceed;
        this.#proceed = undefined;
        proceed?.();
      },
      destroy: (error, done) => {
        // The client does not want the rest.
        if (!this.writableFinished) this.destroy();
        done(error);
      },
    });
    // A client that reads the body sees the error there.
    this.#body.on('error', () => {});
  }

  setHeader(name: string, value: string | readonly string[]): this {
    this.#headers[name.toLowerCase()] = typeof value === 'string' ? value : value.join(', ');
    return this;
  }

  writeHead(code: number, headers: OutgoingHttpHeaders): this {
    this.#status = code;
    for (const [name, value] of Object.entries(headers))
      if (value !== undefined) this.setHeader(name, typeof value === 'number' ? `${value}` : value);
    return this;
  }

  flushHeaders(): void {
    if (this.headersSent) return;
    this.headersSent = true;
    this.#begin({ status: this.#status, headers: this.#headers, body: this.#body });
  }

  /** Does nothing: without a network, a client that gives up disconnects. */
  setTimeout(): this {
    return this;
  }

  /** Ends the connection. */
  disconnect(reason: unknown): void {
    this.#body.destroy(reason instanceof Error ? reason : disconnected());
    this.destroy();
  }

  override _write(chunk: Buffer, _: BufferEncoding, written: () => void): void {
    this.flushHeaders();
    if (this.#body.push(chunk)) written();
    else this.#proceed = written;
  }

  override _final(done: () => void): void {
    this.flushHeaders();
    this.#body.push(null);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (!this.writableFinished) this.#body.destroy(disconnected());
    done(error);
  }
}
