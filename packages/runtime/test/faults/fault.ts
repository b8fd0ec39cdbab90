import type { ServerResponse } from 'node:http';
import type { ProxiedRequest } from './proxied-request.ts';

/** What goes wrong with some requests and their responses. */
export interface Fault {
  readonly concerns: (request: ProxiedRequest) => boolean;
  /** Responds instead of the server. */
  readonly respond?: (response: ServerResponse) => void;
  /** That response never comes. */
  readonly holds?: true;
  /** The request reaches the server, but the connection is reset before the response. */
  readonly losesResponse?: true;
  /** Turns the bytes that the server sends into those that arrive. */
  readonly shape?: (body: AsyncIterable<Buffer>) => AsyncIterable<Buffer>;
}
