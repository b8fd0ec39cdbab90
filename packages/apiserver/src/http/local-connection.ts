import { EventEmitter } from 'node:events';
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { Readable, Writable } from 'node:stream';
import type { ClientConnection, HttpRequest, HttpResponse } from './http-message.ts';

/** The response to a request of this process. */
export interface ExchangeResponse {
  readonly status: number;
  /** By their names in lower case. */
  readonly headers: IncomingHttpHeaders;
  /** Not reading it holds back the server, as a slow client does; destroying it disconnects. */
  readonly body: Readable;
  /** The whole body, if it was complete when the response began. It costs less than `body`. */
  readonly content?: Buffer;
}

/** What a client in this process and the server share about one request. */
export class LocalConnection extends EventEmitter implements ClientConnection {
  closed = false;
  writableFinished = false;
  readonly #request: HttpRequest;
  readonly #begin: (response: ExchangeResponse) => void;
  readonly #headers: IncomingHttpHeaders = {};
  #stream: LocalResponse | undefined;

  /** @param begin receives the response when its head is complete */
  constructor(request: HttpRequest, begin: (response: ExchangeResponse) => void) {
    super();
    this.#request = request;
    this.#begin = begin;
  }

  setHeader(name: string, value: string | readonly string[]): this {
    setHeader(this.#headers, name, value);
    return this;
  }

  /** Sends a whole response. */
  complete({
    code,
    headers,
    body,
  }: {
    code: number;
    headers: OutgoingHttpHeaders;
    body: string | Buffer;
  }): void {
    setHeaders(this.#headers, headers);
    const content = typeof body === 'string' ? Buffer.from(body) : body;
    this.writableFinished = true;
    this.#begin({
      status: code,
      headers: this.#headers,
      content,
      get body() {
        return Readable.from(content.length > 0 ? [content] : [], { objectMode: false });
      },
    });
    this.#close();
  }

  /** Begins a response that takes time. */
  stream(): HttpResponse {
    const stream = new LocalResponse(this.#request, this.#headers, this.#begin);
    this.#stream = stream;
    stream.once('close', () => {
      this.writableFinished = stream.writableFinished;
      this.#close();
    });
    return stream;
  }

  /** Ends the connection. */
  disconnect(reason: unknown): void {
    if (this.#stream) this.#stream.disconnect(reason);
    else this.#close();
  }

  #close(): void {
    if (this.closed) return;
    this.closed = true;
    this.emit('close');
  }
}

class LocalResponse extends Writable implements HttpResponse {
  readonly req: HttpRequest;
  headersSent = false;
  readonly #begin: (response: ExchangeResponse) => void;
  readonly #headers: IncomingHttpHeaders;
  readonly #body: Readable;
  #status = 200;
  /** Continues to write when the client has read. */
  #proceed: (() => void) | undefined;

  constructor(req: HttpRequest, headers: IncomingHttpHeaders, begin: (response: ExchangeResponse) => void) {
    super();
    this.req = req;
    this.#headers = headers;
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
    setHeader(this.#headers, name, value);
    return this;
  }

  writeHead(code: number, headers: OutgoingHttpHeaders): this {
    this.#status = code;
    setHeaders(this.#headers, headers);
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

/** What a client sees when the server closes the connection in the middle of a response. */
export function disconnected(): Error {
  return connectionError('ECONNRESET', 'the server closed the connection');
}

export function connectionError(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

function setHeaders(headers: IncomingHttpHeaders, added: OutgoingHttpHeaders): void {
  for (const [name, value] of Object.entries(added))
    if (value !== undefined) setHeader(headers, name, typeof value === 'number' ? `${value}` : value);
}

function setHeader(headers: IncomingHttpHeaders, name: string, value: string | readonly string[]): void {
  headers[name.toLowerCase()] = typeof value === 'string' ? value : value.join(', ');
}
