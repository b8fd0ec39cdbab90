import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';

/** What the server reads of a request: Node's `IncomingMessage`, or a request of this process. */
export interface HttpRequest extends Readable {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: IncomingHttpHeaders;
  /** The headers with all of their values. */
  readonly headersDistinct: NodeJS.Dict<string[]>;
  /** Whether the body has arrived completely. */
  readonly complete: boolean;
  /** A `TLSSocket` for a client that connected over TLS. */
  readonly socket: unknown;
}

/** What the server needs of a response: Node's `ServerResponse`, or a response in this process. */
export interface HttpResponse extends Writable {
  readonly req: HttpRequest;
  readonly headersSent: boolean;
  setHeader(name: string, value: string | readonly string[]): unknown;
  writeHead(code: number, headers: OutgoingHttpHeaders): unknown;
  flushHeaders(): void;
  /** Calls back when the client has read nothing for a while. */
  setTimeout(milliseconds: number, callback: () => void): unknown;
  /** Hands over the connection for another protocol, before anything is sent. Undefined where that is not possible. */
  takeOver?(): Socket;
}
