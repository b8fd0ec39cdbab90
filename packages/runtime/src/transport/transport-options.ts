import type { Duration } from 'ots-kubernetes';
import type { Tracer } from '../tracing/tracer.ts';
import type { Reachability } from './reachability.ts';

/** One HTTP exchange that ended. */
export interface Exchange {
  method: string;
  host: string;
  /** The HTTP status, or `<error>` when there was no answer. */
  code: string;
  /** Until the answer began, in seconds. */
  seconds: number;
}

/** Observes the requests of a transport, for metrics. */
export interface TransportObserver {
  exchanged(exchange: Exchange): void;
  /** A request is about to be sent again. */
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
   * Says when the server goes away and comes back.
   * @internal
   */
  reachability?: Reachability | undefined;
  /**
   * Makes a span of every request: method, resource and HTTP status, never contents. Watches have none.
   * @internal
   */
  tracer?: Tracer | undefined;
  /**
   * The program, as `name/version`; `ots-runtime` is added to it. Administrators find it in audit logs, and the server
   * takes what stands before the slash as the field owner of writes that name none. `ots-runtime` alone by default.
   */
  userAgent?: string | undefined;
  /**
   * Called with every warning that the server sends, as for a deprecated API version. By default each distinct text
   * is emitted once as a process warning (`process.emitWarning`), which Node prints to standard error.
   */
  onWarning?: ((text: string) => void) | undefined;
  /** How long one attempt of a request may take; a number is milliseconds. `'30s'` by default. Watches have no limit. */
  requestTimeout?: Duration | number | undefined;
  /**
   * How many connections there are at most for requests, watches not counted; 32 by default. With one there is never
   * an idle one that has died silently, which would cost the next request its whole time.
   * @internal
   */
  connections?: number | undefined;
  /**
   * A number in [0, 1), for the jitter of repetitions; `Math.random` by default.
   * @internal
   */
  random?: (() => number) | undefined;
}
