import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';

/** A request to an API server in this process. */
export interface LocalRequest {
  /** Such as `GET`. */
  method: string;
  /** The path with its query, encoded. */
  path: string;
  /** By their names in lower case. */
  headers: Readonly<Record<string, string | string[]>>;
  /** Null for none. */
  body: string | null;
  /** Disconnects when it aborts. The response, or the rest of its body, then fails with its reason. */
  signal: AbortSignal;
}

/** The response of an API server in this process. */
export interface LocalResponse {
  /** The HTTP status. */
  status: number;
  /** By their names in lower case. */
  headers: IncomingHttpHeaders;
  /** The chunks of the body as they arrive. Destroying it disconnects. */
  body: Readable;
  /** The whole body, if it was complete when the response began. It costs less than `body`. */
  content?: Buffer;
}

/**
 * Answers the requests of a connection instead of a network.
 * @returns the response when its head is complete.
 * @throws what a broken connection would throw.
 */
export type LocalExchange = (request: LocalRequest) => Promise<LocalResponse>;
