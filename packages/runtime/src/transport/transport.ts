import type { Dispatcher } from 'undici';
import { type Clock, systemClock } from '../clock/clock.ts';
import { sleep } from '../clock/sleep.ts';
import { withDeadline } from '../clock/with-deadline.ts';
import { isApiError } from '../client/api-error.ts';
import { errorMessage } from '../errors/error-message.ts';
import type { ConnectionConfig } from '../kubeconfig/connection-config.ts';
import { ConnectionConfigError } from '../kubeconfig/connection-config-error.ts';
import { type Agents, createAgents } from './agents.ts';
import { ConnectionError } from './connection-error.ts';
import { responseError } from './response-error.ts';
import { retryDelay } from './retry-delay.ts';
import { TokenSource } from './token-source.ts';

export type Query = Record<string, string | number | boolean | undefined>;

export interface TransportRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path below the server's URL, encoded. */
  path: string;
  query?: Query;
  /** Sent as JSON. */
  body?: unknown;
  /** `application/json` by default. */
  contentType?: string;
  signal?: AbortSignal | undefined;
}

/** One HTTP exchange that ended. */
export interface Exchange {
  method: string;
  host: string;
  /** The HTTP status, or `<error>` when there was no answer. */
  code: string;
}

export interface TransportOptions {
  clock?: Clock;
  /** Told of every exchange. */
  observe?: (exchange: Exchange) => void;
}

/** The server takes it as the field manager of writes that name none. */
const userAgent = 'ots-runtime';
const requestTimeout = 30_000;
/** An answer to a watch begins at once; only its events take time. */
const watchOpenTimeout = 30_000;

/** Speaks HTTP with one API server: connections, credentials, timeouts, retries and errors; knows no kinds. */
export class Transport {
  readonly #config: ConnectionConfig;
  readonly #clock: Clock;
  readonly #observe: (exchange: Exchange) => void;
  readonly #tokens: TokenSource;
  readonly #base: URL;
  #agents: Promise<Agents> | undefined;
  #closed = false;

  /** @throws {ConnectionConfigError} when `config.server` is not an http or https URL. */
  constructor(config: ConnectionConfig, options: TransportOptions = {}) {
    this.#config = config;
    this.#clock = options.clock ?? systemClock;
    this.#observe = options.observe ?? (() => {});
    this.#tokens = new TokenSource(config, this.#clock);
    this.#base = serverUrl(config.server);
  }

  /**
   * Sends a request and returns the parsed answer. 429 and 503 with `Retry-After`, and reads over a connection that
   * broke, are repeated a few times.
   * @throws {ApiError} when the server refuses.
   * @throws {ConnectionError} when there is no usable answer within 30 s.
   */
  async request<T>(request: TransportRequest): Promise<T> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.#exchange<T>(request);
      } catch (error) {
        const delay = retryDelay(error, request.method, attempt);
        if (delay === undefined) throw error;
        await sleep(this.#clock, delay, request.signal);
        request.signal?.throwIfAborted();
      }
    }
  }

  /**
   * Opens a stream that stays open. It ends with an error when the signal aborts.
   * @throws {ApiError} when the server refuses. Never repeated: the caller knows where to go on.
   */
  async stream(path: string, query: Query, signal: AbortSignal): Promise<AsyncIterable<Buffer>> {
    const request: TransportRequest = { method: 'GET', path, query };
    const opening = new AbortController();
    const forward = (): void => opening.abort(signal.reason);
    if (signal.aborted) forward();
    signal.addEventListener('abort', forward, { once: true });
    const timer = this.#clock.setTimeout(
      () => opening.abort(this.#timedOut(request, watchOpenTimeout)),
      watchOpenTimeout,
    );
    try {
      const response = await this.#send(request, 'watches', opening.signal);
      if (response.statusCode !== 200) {
        throw responseError(response.statusCode, await response.body.text(), response.headers['retry-after']);
      }
      return response.body;
    } catch (error) {
      signal.removeEventListener('abort', forward);
      throw error;
    } finally {
      this.#clock.clearTimeout(timer);
    }
  }

  /** Closes every connection; requests under way fail. */
  async close(): Promise<void> {
    this.#closed = true;
    if (!this.#agents) return;
    const { requests, watches } = await this.#agents;
    await Promise.all([requests.destroy(), watches.destroy()]);
  }

  #exchange<T>(request: TransportRequest): Promise<T> {
    return withDeadline(
      this.#clock,
      requestTimeout,
      request.signal,
      () => this.#timedOut(request, requestTimeout),
      async (signal) => {
        const response = await this.#send(request, 'requests', signal);
        const body = await this.#readBody(request, response, signal);
        if (response.statusCode >= 300) {
          throw responseError(response.statusCode, body, response.headers['retry-after']);
        }
        return this.#parse(request, body) as T;
      },
    );
  }

  async #send(
    { method, path, query, body, contentType }: TransportRequest,
    pool: 'requests' | 'watches',
    signal: AbortSignal,
  ): Promise<Dispatcher.ResponseData> {
    const headers: Record<string, string> = { accept: 'application/json', 'user-agent': userAgent };
    const token = await this.#tokens.token();
    if (token) headers['authorization'] = `Bearer ${token}`;
    if (body !== undefined) headers['content-type'] = contentType ?? 'application/json';
    const agents = await this.#connect();
    let code = '<error>';
    try {
      const response = await agents.request(this.#url(path, query), {
        dispatcher: agents[pool],
        method,
        headers,
        body: body === undefined ? null : JSON.stringify(body),
        signal,
      });
      code = String(response.statusCode);
      return response;
    } catch (error) {
      throw this.#connectionError(error, signal);
    } finally {
      this.#observe({ method, host: this.#base.host, code });
    }
  }

  async #readBody(
    request: TransportRequest,
    response: Dispatcher.ResponseData,
    signal: AbortSignal,
  ): Promise<string> {
    try {
      return await response.body.text();
    } catch (error) {
      throw this.#connectionError(
        error,
        signal,
        `the answer to ${request.method} ${request.path} broke off: `,
      );
    }
  }

  #parse(request: TransportRequest, body: string): unknown {
    try {
      return JSON.parse(body);
    } catch {
      // Without the parser's error as the cause: it quotes the answer, which may be a Secret.
      throw new ConnectionError(
        `the answer to ${request.method} ${request.path} is not JSON`,
        `Check that ${this.#base.origin} is a Kubernetes API server and not a proxy or a login page.`,
      );
    }
  }

  #connectionError(
    error: unknown,
    signal: AbortSignal,
    prefix = `cannot reach ${this.#base.origin}: `,
  ): unknown {
    // An abort is the caller's own wish, or the deadline's error: pass it on as it is.
    if (signal.aborted) return signal.reason;
    if (isApiError(error)) return error;
    return new ConnectionError(
      `${prefix}${errorMessage(error)}`,
      'Check the server in the kubeconfig, that it is running, and that its certificate is trusted.',
      error,
    );
  }

  #timedOut(request: TransportRequest, milliseconds: number): ConnectionError {
    return new ConnectionError(
      `no answer to ${request.method} ${request.path} within ${milliseconds / 1000} s`,
      'Check the load of the API server and the network to it.',
    );
  }

  #url(path: string, query: Query = {}): URL {
    const url = new URL(this.#base);
    url.pathname = `${this.#base.pathname.replace(/\/$/, '')}${path}`;
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    return url;
  }

  #connect(): Promise<Agents> {
    if (this.#closed) {
      return Promise.reject(new ConnectionError('the client is closed', 'Create a new one.'));
    }
    this.#agents ??= createAgents(this.#config);
    return this.#agents;
  }
}

function serverUrl(server: string): URL {
  if (URL.canParse(server)) {
    const url = new URL(server);
    if (url.protocol === 'http:' || url.protocol === 'https:') return url;
  }
  throw new ConnectionConfigError(
    `${JSON.stringify(server)} is not the URL of an API server`,
    "Write it as 'https://host:port'.",
  );
}
