/** What a fault does to the requests that it selects. */
export type FaultEffect = AnswerEffect | LossEffect | LatencyEffect | StaleEffect | WatchEffect;

/** The failures that the server can answer with, by the `reason` of their Status. */
export type FaultAnswer =
  | 'Conflict'
  | 'Expired'
  | 'InternalError'
  | 'ServiceUnavailable'
  | 'Timeout'
  | 'TooManyRequests';

/** The server refuses the request, in the words of kube-apiserver. */
export interface AnswerEffect {
  readonly answer: FaultAnswer;
  /** The `Retry-After` header of a 429 (default 1) or 503 (default 0), in seconds. 0 sends none. */
  readonly retryAfterSeconds?: number | undefined;
}

/** When the answer is lost: before the server handles the request, or after, when a write is stored. */
export type LossTime = 'before' | 'after';

/** The answer does not come in time (504 after 60 s, as kube-apiserver limits a request), or the connection breaks. */
export type LossEffect = { readonly timeout: LossTime } | { readonly disconnect: LossTime };

/** The server begins to handle the request later. */
interface LatencyEffect {
  readonly latencyMs: number;
}

/** Reads that accept any state see that of the moment in which the fault was added. */
interface StaleEffect {
  readonly stale: true;
}

/** What happens to a watch: to those that are open when the fault is added, and to later ones. */
export type WatchEffect = WatchEndEffect | WatchDelayEffect;

/** The connection breaks or falls silent, or the watch ends with an ERROR event (410). */
interface WatchEndEffect {
  readonly watch: 'drop' | 'half-open' | 'expire';
}

/** Events come later, in their order or in another. */
interface WatchDelayEffect {
  readonly watch: 'delay' | 'reorder';
  readonly milliseconds: number;
}
