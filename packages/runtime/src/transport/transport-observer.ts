/** One HTTP exchange that ended. */
export interface Exchange {
  method: string;
  host: string;
  /** The HTTP status, or `<error>` when there was no answer. */
  code: string;
  /** Until the answer began, in seconds. */
  seconds: number;
}

/** Told of what happens between a transport and its server, for metrics. */
export interface TransportObserver {
  exchanged(exchange: Exchange): void;
  /** A request is about to be sent again. */
  retried(method: string, host: string): void;
}
