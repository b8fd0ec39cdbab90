/** Observes one webhook path, for metrics. */
export interface WebhookObserver {
  /** A request arrived. */
  started(): void;
  /**
   * The server responded with HTTP status `code`, `seconds` after the request arrived. A refusal of an object also has
   * status 200, as the protocol requires.
   */
  finished(code: number, seconds: number): void;
  /** A handler threw an unexpected error: a bug. `kind` is the protocol of the webhook. */
  panicked(kind: 'admission' | 'conversion'): void;
}
