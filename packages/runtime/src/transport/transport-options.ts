import type { Duration } from 'ots-kubernetes';
import type { ApiError } from '../errors/api-error.ts';
import type { Tracer } from '../tracing/tracer.ts';
import type { Reachability } from './reachability.ts';

/** One completed HTTP exchange. */
export interface Exchange {
  method: string;
  host: string;
  /** The HTTP status, or `<error>` when no response arrived. */
  code: string;
  /** The time until the response began, in seconds. */
  seconds: number;
}

/** Observes the requests of a transport, for metrics. */
export interface TransportObserver {
  exchanged(exchange: Exchange): void;
  /** A request is about to be retried. */
  retried(method: string, host: string): void;
}

/** How a transport behaves. */
export interface TransportOptions {
  /**
   * Observes every exchange and every retry.
   * @internal
   */
  observer?: TransportObserver | undefined;
  /**
   * Logs when the server becomes unreachable and when it is back.
   * @internal
   */
  reachability?: Reachability | undefined;
  /**
   * Called with every refusal, in the context of the work that sent the request.
   * @internal
   */
  onRefusal?: ((error: ApiError) => void) | undefined;
  /**
   * Creates a span for every request: method, resource and HTTP status, never contents. Watches have none.
   * @internal
   */
  tracer?: Tracer | undefined;
  /**
   * The program, as `name/version`; `ots-runtime` is appended. Administrators find it in audit logs, and the server
   * uses the part before the slash as the field owner of writes that do not name one. `ots-runtime` alone by default.
   */
  userAgent?: string | undefined;
  /**
   * Called with every warning that the server sends, for example about a deprecated API version. By default each
   * distinct text is emitted once as a process warning (`process.emitWarning`), which Node prints to standard error.
   */
  onWarning?: ((text: string) => void) | undefined;
  /** How long one attempt of a request may take; a number is milliseconds. `'30s'` by default. Watches have no limit. */
  requestTimeout?: Duration | number | undefined;
  /**
   * The maximum number of connections for requests, not counting watches; 32 by default. With a limit of 1, no idle
   * connection can die silently and make the next request time out.
   * @internal
   */
  connections?: number | undefined;
}
