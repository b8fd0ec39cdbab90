/** Told of what happens at one webhook path, for metrics. */
export interface WebhookObserver {
  /** A request came in. */
  started(): void;
  /**
   * The request was answered with HTTP status `code`, `seconds` after it came in. A review that refuses an object is
   * answered with 200, as the protocol wants it.
   */
  finished(code: number, seconds: number): void;
  /** A handler threw what is no decision: a mistake in its code. `kind` is the protocol of the webhook. */
  panicked(kind: 'admission' | 'conversion'): void;
}
