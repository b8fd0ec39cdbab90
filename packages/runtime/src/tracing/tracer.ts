/** Attributes of a span. Never the contents of objects. */
export type SpanAttributes = Record<string, string | number | boolean>;

/** A span in progress. */
export interface Span {
  /** Whether an exporter receives it: what is expensive to find is not worth it otherwise. */
  readonly isRecording: boolean;
  setAttributes(attributes: SpanAttributes): void;
  /** The headers of W3C Trace Context that propagate the span to a server. */
  headers(): Record<string, string>;
}

/** Creates spans. A manager has a tracer only when tracing is on. */
export interface Tracer {
  /**
   * Runs `work` in a span, as a child of the caller's span. The span ends when the work settles; an error is recorded and
   * rethrown.
   * @param name for example `reconcile myapp`.
   */
  span<T>(name: string, attributes: SpanAttributes, work: (span: Span) => Promise<T>): Promise<T>;
}
