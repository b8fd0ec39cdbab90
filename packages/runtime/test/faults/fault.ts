import type { ServerResponse } from 'node:http';
import type { ProxiedRequest } from './proxied-request.ts';

/** What is done to some of the requests, and to the answers to them. */
export interface Fault {
  readonly concerns: (request: ProxiedRequest) => boolean;
  /** Answers instead of the server. */
  readonly answer?: (response: ServerResponse) => void;
  /** That answer never comes. */
  readonly holds?: true;
  /** The request reaches the server, and what becomes of its answer is not told: the connection is reset. */
  readonly losesAnswer?: true;
  /** What arrives of the bytes that the server sends. */
  readonly shape?: (body: AsyncIterable<Buffer>) => AsyncIterable<Buffer>;
}
