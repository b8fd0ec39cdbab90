import type { RequestOptions } from './request-options.ts';

/** A request to any path of the API server, such as `/version`, `/metrics` or the log of a pod. */
export interface RawRequest extends RequestOptions {
  /** `GET` by default. */
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | undefined;
  /** The path below the server's URL, encoded; it begins with a slash. */
  path: string;
  /** Parameters of the URL; none by default. Undefined ones are left out. */
  query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
  /** Sent as JSON; nothing by default. */
  body?: unknown;
  /** `application/json` by default. */
  contentType?: string | undefined;
  /** The `Accept` header; `application/json` by default. */
  accept?: string | undefined;
  /** How to read the answer: parsed as JSON, which is the default, or as it is. */
  answer?: 'json' | 'text' | undefined;
}
