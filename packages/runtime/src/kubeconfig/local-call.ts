import type { LocalRequest } from './local-exchange.ts';

/** The response to a call. */
export interface LocalCallResponse {
  /** The HTTP status. */
  status: number;
  /** The header `Retry-After`. Undefined without one. */
  retryAfter?: string | undefined;
  body: string;
  /** What the body shows, if it is JSON and the server has it. The server shares it with others, so it must not be changed. */
  object?: object | undefined;
}

/**
 * Answers requests of a connection without a network, and without what only a network needs: connections, deadlines and credentials.
 * @returns undefined, with nothing done, if it cannot: the request then takes the usual way.
 */
export type LocalCall = (request: Omit<LocalRequest, 'signal'>) => Promise<LocalCallResponse | undefined>;
