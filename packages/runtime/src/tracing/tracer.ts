/** Attributes of a span. Never the contents of objects. */
export type SpanAttributes = Record<string, string | number | boolean>;

/** A span that is under way. */
export interface Span {
  setAttributes(attributes: SpanAttributes): void;
  /** The headers of W3C Trace Context that propagate the span to a server. */
  headers(): Record<string, string>;
}

/** Makes spans of pieces of work. A manager has one when tracing is on, and none otherwise. */
export interface Tracer {
  /**
   * Runs `work` inside of a span: child of the span that the caller runs in. The span ends when the work settles; what
   * it throws is recorded and thrown on.
   * @param name such as `reconcile myapp`.
   */
  span<T>(name: string, attributes: SpanAttributes, work: (span: Span) => Promise<T>): Promise<T>;
}
