import type * as api from '@opentelemetry/api';
import { isApiError } from '../errors/api-error.ts';
import type { Span, SpanAttributes, Tracer } from './tracer.ts';

type Api = typeof api;

/** Creates the spans of this package with OpenTelemetry. */
export class OpenTelemetryTracer implements Tracer {
  readonly #api: Api;
  readonly #tracer: api.Tracer;

  constructor(loaded: Api, tracer: api.Tracer) {
    this.#api = loaded;
    this.#tracer = tracer;
  }

  span<T>(name: string, attributes: SpanAttributes, work: (span: Span) => Promise<T>): Promise<T> {
    return this.#tracer.startActiveSpan(
      name,
      { attributes, kind: this.#kindOf(attributes) },
      async (span) => {
        try {
          return await work({
            isRecording: span.isRecording(),
            setAttributes: (more) => void span.setAttributes(more),
            headers: () => this.#headersOf(span),
          });
        } catch (error) {
          // Omit the message, which may quote the contents of an object.
          span.setAttributes(describe(error));
          span.setStatus({ code: this.#api.SpanStatusCode.ERROR });
          throw error;
        } finally {
          span.end();
        }
      },
    );
  }

  /** By the semantic conventions of OpenTelemetry, a client span names the server, and a server span the path. */
  #kindOf(attributes: SpanAttributes): number {
    const { SpanKind } = this.#api;
    if ('server.address' in attributes) return SpanKind.CLIENT;
    return 'url.path' in attributes ? SpanKind.SERVER : SpanKind.INTERNAL;
  }

  /** Does not use the program's propagator, which may also send baggage. */
  #headersOf(span: api.Span): Record<string, string> {
    const context = span.spanContext();
    if (!this.#api.isSpanContextValid(context)) return {};
    const { traceId, spanId, traceFlags, traceState } = context;
    const state = traceState?.serialize();
    return {
      traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
      ...(state && { tracestate: state }),
    };
  }
}

function describe(error: unknown): SpanAttributes {
  if (isApiError(error)) return { 'error.type': error.reason, 'http.response.status_code': error.status };
  if (!(error instanceof Error)) return { 'error.type': typeof error };
  const { code } = error as { code?: unknown };
  return { 'error.type': typeof code === 'string' ? code : error.name };
}
