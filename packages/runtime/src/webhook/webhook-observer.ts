/** Observes one webhook path, for metrics. */
export interface WebhookObserver {
  /** A request arrived. */
  started(): void;
  /**
   * The request was answered with HTTP status `code`, `seconds` after it arrived. A review that refuses an object is
   * answered with 200, as the protocol requires.
   */
  finished(code: number, seconds: number): void;
  /** A handler threw an unexpected error: a bug. `kind` is the protocol of the webhook. */
  panicked(kind: 'admission' | 'conversion'): void;
}
