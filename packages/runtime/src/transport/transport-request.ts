/** Query parameters. Undefined values are omitted. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** One request to the API server. */
export interface TransportRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The encoded path below the server's URL, starting with a slash. */
  path: string;
  query?: Query | undefined;
  /** Sent as JSON. */
  body?: unknown;
  /** `application/json` by default. */
  contentType?: string | undefined;
  /** The `Accept` header; `application/json` by default. */
  accept?: string | undefined;
  /** How to return the response: parsed as JSON, which is the default, or as text. */
  responseType?: 'json' | 'text' | undefined;
  /** How long one attempt may take, in milliseconds; the transport's `requestTimeout` by default. */
  timeout?: number | undefined;
  /** Cancels the request when it aborts. The signal of `currentWork()` by default. */
  signal?: AbortSignal | undefined;
  /** The resource of the request, for spans, such as `deployments.apps` or `pods/eviction`. */
  resource?: string | undefined;
}
