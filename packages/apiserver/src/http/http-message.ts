import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';

/** What the server knows about a request before its body. */
interface RequestHead {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: IncomingHttpHeaders;
  /** The headers with all of their values. */
  readonly headersDistinct: NodeJS.Dict<string[]>;
  /** A `TLSSocket` for a client that connected over TLS. */
  readonly socket: unknown;
}

/** A request over a network, such as Node's `IncomingMessage`. */
interface ArrivingRequest extends RequestHead, Readable {
  /** Whether the body has arrived completely. */
  readonly complete: boolean;
  readonly content?: undefined;
}

/** A request of this process. */
export interface WholeRequest extends RequestHead {
  readonly complete: true;
  /** The body. Empty for none. */
  readonly content: Buffer;
}

/** What the server reads of a request. */
export type HttpRequest = ArrivingRequest | WholeRequest;

/** What the server needs of a connection while it handles a request. */
export interface ClientConnection {
  /** Whether it has ended. */
  readonly closed: boolean;
  /** Whether the response was sent completely. */
  readonly writableFinished: boolean;
  once(event: 'close', listener: () => void): unknown;
  /** Adds a header to the response. */
  setHeader(name: string, value: string | readonly string[]): unknown;
  /** Hands over the connection for another protocol, before anything is sent. Undefined where that is not possible. */
  takeOver?(): Socket;
}

/** What the server needs of a response: Node's `ServerResponse`, or a response in this process. */
export interface HttpResponse extends Writable {
  readonly req: HttpRequest;
  readonly headersSent: boolean;
  setHeader: ClientConnection['setHeader'];
  writeHead(code: number, headers: OutgoingHttpHeaders): unknown;
  flushHeaders(): void;
  /** Calls back when the client has read nothing for a while. */
  setTimeout(milliseconds: number, callback: () => void): unknown;
  takeOver?(): Socket;
}
