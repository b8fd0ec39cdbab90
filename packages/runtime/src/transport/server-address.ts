import { ConnectionConfigError } from '../kubeconfig/connection-config.ts';
import type { Query } from './transport-request.ts';

/** The address of an API server. Builds request targets from paths and queries. */
export class ServerAddress {
  /** Scheme, host and port. */
  readonly origin: string;
  readonly host: string;
  readonly #prefix: string;

  /** @throws {ConnectionConfigError} when `server` is not an http or https URL. */
  constructor(server: string) {
    const url = URL.canParse(server) ? new URL(server) : undefined;
    if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
      throw new ConnectionConfigError(
        `${JSON.stringify(server)} is not the URL of an API server`,
        "Write it as 'https://host:port'.",
      );
    }
    this.origin = url.origin;
    this.host = url.host;
    this.#prefix = url.pathname.replace(/\/$/, '');
  }

  /** Returns the path and query to request. */
  target(path: string, query: Query = {}): string {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) parameters.set(name, String(value));
    }
    return `${this.#prefix}${path}${parameters.size > 0 ? `?${parameters.toString()}` : ''}`;
  }
}
