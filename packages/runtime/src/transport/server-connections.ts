import { text } from 'node:stream/consumers';
import type { Clock } from 'ots-apimachinery/clock/clock';
import type { ConnectionConfig } from '../kubeconfig/connection-config.ts';
import type { LocalCall, LocalCallResponse } from '../kubeconfig/local-call.ts';
import type { LocalResponse } from '../kubeconfig/local-exchange.ts';
import { type BufferedResponse, sendBuffered } from './buffered-response.ts';
import { ConnectionError } from '../errors/connection-error.ts';
import { type Access, Credentials } from './credentials/credentials.ts';
import { brokenOff, isUntrusted, tooLong, unreachable } from './request-failures.ts';
import { ServerAddress } from './server-address.ts';
import type { TransportObserver } from './transport-options.ts';
import type { Query, TransportRequest } from './transport-request.ts';

const json = 'application/json';

export interface ServerConnectionsOptions {
  clock: Clock;
  userAgent: string;
  observer: TransportObserver | undefined;
  connections: number | undefined;
}

/** A request, ready to be sent, and the check that can stop it. */
export interface Message {
  readonly request: Omit<TransportRequest, 'signal' | 'timeout'>;
  /** The request's body as text; null when it has none. */
  readonly body: string | null;
  /** Additional headers, which propagate the request's span to the server. */
  readonly headers?: Record<string, string> | undefined;
  /** Throws if the request must no longer be sent. */
  readonly fence: () => void;
}

/** Sends single requests to one server as the configured user, and returns the responses. */
export class ServerConnections {
  readonly address: ServerAddress;
  readonly #options: ServerConnectionsOptions;
  readonly #credentials: Credentials;
  readonly #compresses: boolean;
  readonly #call: LocalCall | undefined;
  #closed = false;

  /** @throws {ConnectionConfigError} when `config.server` is not an http or https URL. */
  constructor(config: ConnectionConfig, options: ServerConnectionsOptions) {
    this.address = new ServerAddress(config.server);
    this.#options = options;
    // Compression takes a thread of its own, so the order of what happens in this process would depend on the machine.
    this.#compresses = !config.disableCompression && !config.exchange;
    this.#call = config.call;
    this.#credentials = new Credentials(config, options.clock, options.connections);
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /**
   * Asks the server in this process, if there is one.
   * @param signal stops waiting for credentials.
   * @returns undefined, with nothing done, if the request has to be sent.
   */
  async call(message: Message, signal: AbortSignal): Promise<LocalCallResponse | undefined> {
    if (!this.#call) return undefined;
    const { method, path, query } = message.request;
    const headers = this.#headersOf(message, await this.#access(signal));
    message.fence();
    return this.#call({ method, path: this.address.target(path, query), headers, body: message.body });
  }

  /**
   * Sends a request on one of the capped connections. Retries it once after a 401 if the credentials could be renewed,
   * and after a certificate error if the authorities were replaced: in both cases the server has done nothing.
   * @throws {ConnectionError} if the server does not respond. The signal's reason, or the error of the fence.
   */
  async send(message: Message, signal: AbortSignal): Promise<BufferedResponse> {
    const access = await this.#access(signal);
    const attempt = (by: Access): Promise<BufferedResponse> => this.#send(message, by, signal);
    const response = await this.#trusting(access, attempt, signal);
    if (response.status !== 401 || !(await access.rejected())) return response;
    return attempt(await this.#access(signal));
  }

  /**
   * Opens a stream on its own connection; credentials are renewed as with `send`.
   * @throws {ConnectionError} if the server does not respond. The signal's reason if it aborts.
   */
  async open(path: string, query: Query, accept: string = json, signal: AbortSignal): Promise<LocalResponse> {
    const target = this.address.target(path, query);
    const access = await this.#access(signal);
    const attempt = (by: Access): Promise<LocalResponse> => this.#open(target, accept, by, signal);
    const response = await this.#trusting(access, attempt, signal);
    if (response.status !== 401 || !(await access.rejected())) return response;
    await text(response.body);
    return attempt(await this.#access(signal));
  }

  /** Closes every connection after its last response. */
  retire(): void {
    this.#credentials.retire();
  }

  /** Closes every connection. Requests in progress fail, and so do later ones. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#credentials.close();
  }

  /**
   * Runs the attempt. Retries it once if the server's certificate is not trusted and the authorities have just been
   * replaced: a leader that waited until the known file is a minute old would lose its lease.
   */
  async #trusting<T>(access: Access, attempt: (by: Access) => Promise<T>, signal: AbortSignal): Promise<T> {
    try {
      return await attempt(access);
    } catch (error) {
      if (!isUntrusted(error) || !(await access.distrusted())) throw error;
      return attempt(await this.#access(signal));
    }
  }

  async #send(message: Message, access: Access, signal: AbortSignal): Promise<BufferedResponse> {
    const { method, path, query } = message.request;
    const request = `${method} ${path}`;
    const exchange = this.#observed(method);
    signal.throwIfAborted();
    try {
      return await sendBuffered(
        access.agents.requests,
        {
          origin: this.address.origin,
          path: this.address.target(path, query),
          method,
          headers: this.#headersOf(message, access),
          body: message.body,
        },
        {
          signal,
          beforeSending: message.fence,
          began: exchange.began,
          failed: (error, began) =>
            began ? brokenOff(request, error) : unreachable(this.address.origin, error),
          tooLong: (limit) => tooLong(request, limit),
        },
      );
    } finally {
      exchange.ended();
    }
  }

  #headersOf(message: Message, access: Access): Record<string, string | string[]> {
    const { method, accept = json, contentType = json } = message.request;
    const headers: Record<string, string | string[]> = { ...access.headers, ...message.headers };
    headers['accept'] = accept;
    headers['user-agent'] = this.#options.userAgent;
    if (method === 'GET' && this.#compresses) headers['accept-encoding'] = 'gzip';
    if (message.body !== null) headers['content-type'] = contentType;
    return headers;
  }

  async #open(
    target: string,
    accept: string,
    { agents, headers }: Access,
    signal: AbortSignal,
  ): Promise<LocalResponse> {
    const exchange = this.#observed('GET');
    try {
      const response = await agents.watch({
        origin: this.address.origin,
        path: target,
        headers: { ...headers, accept, 'user-agent': this.#options.userAgent },
        signal,
      });
      exchange.began(response.status);
      return response;
    } catch (error) {
      throw signal.aborted ? signal.reason : unreachable(this.address.origin, error);
    } finally {
      exchange.ended();
    }
  }

  /** Reports one exchange to the observer when it ends. Its duration is the time until the response begins. */
  #observed(method: string): { began: (status: number) => void; ended: () => void } {
    const { clock, observer } = this.#options;
    const start = clock.now();
    const elapsed = (): number => (clock.now() - start) / 1000;
    let seconds: number | undefined;
    let code = '<error>';
    return {
      began: (status) => {
        code = String(status);
        seconds = elapsed();
      },
      ended: () =>
        observer?.exchanged({ method, host: this.address.host, code, seconds: seconds ?? elapsed() }),
    };
  }

  #access(signal: AbortSignal): Promise<Access> {
    if (this.#closed) {
      return Promise.reject(new ConnectionError('The client is closed', 'Create a new one.'));
    }
    return this.#credentials.access(signal);
  }
}
