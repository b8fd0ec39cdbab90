import { setMaxListeners } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { text as textOfStream } from 'node:stream/consumers';
import type { Clock } from 'ots-apimachinery/clock/clock';
import { sleep } from 'ots-apimachinery/clock/sleep';
import { eitherSignal } from 'ots-apimachinery/signals/either-signal';
import { networkClock } from '../clock/network-clock.ts';
import { withDeadline } from '../clock/with-deadline.ts';
import { observeRequest } from '../context/request-observers.ts';
import { type RequestTrace, currentWork } from '../context/work-context.ts';
import { toMilliseconds } from '../duration/to-milliseconds.ts';
import { isApiError } from '../errors/api-error.ts';
import { showAwaiting } from '../errors/caller-frames.ts';
import { isConnectionError } from '../errors/connection-error.ts';
import { UsageError } from '../errors/usage-error.ts';
import type { ConnectionConfig } from '../kubeconfig/connection-config.ts';
import { deepFreeze } from '../objects/deep-readonly.ts';
import type { Span, SpanAttributes } from '../tracing/tracer.ts';
import { type BufferedResponse, maxResponseBytes } from './buffered-response.ts';
import { decoded } from './decoded.ts';
import { openStream } from './open-stream.ts';
import { brokenOff, notJson, timedOut, tooLong } from './request-failures.ts';
import { responseError } from './response-error.ts';
import { parseRetryAfter, retryDelay } from './retry-delay.ts';
import { type Message, ServerConnections } from './server-connections.ts';
import type { TransportOptions } from './transport-options.ts';
import type { Query, TransportRequest } from './transport-request.ts';
import { distinctWarnings, parseWarnings } from './warnings.ts';

const product = 'ots-runtime';
/** In milliseconds. A watch response begins at once; only its events take time. */
const watchOpenTimeout = 30_000;
/** The reason of all, which costs less than one with a stack for each. */
const closed = new DOMException('The client is closed', 'AbortError');
/** How many earlier sets of connections are kept for what is in progress on them. */
const maxRetired = 8;

/** A complete response whose body was decoded. */
interface TextResponse extends Pick<BufferedResponse, 'status' | 'headers'> {
  readonly body: string;
  /** What the body shows, where that is known. */
  readonly object?: object | undefined;
}

/** A request and the limits of the work that it belongs to. */
interface Attempt extends Message {
  readonly request: TransportRequest;
  readonly trace: RequestTrace | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Speaks HTTP with one API server: connections, credentials, timeouts, retries and errors. It does not know about kinds. */
export class Transport {
  /**
   * The program's name in the user agent, if it is set: the server uses it as the owner of the program's fields.
   * @internal
   */
  readonly program: string | undefined;
  /**
   * Measures the time that the network takes; see `ConnectionConfig.clock`.
   * @internal
   */
  readonly clock: Clock;
  /**
   * A number in [0, 1), for all jitter; see `ConnectionConfig.random`.
   * @internal
   */
  readonly random: () => number;
  /**
   * Fills caches without requests; see `ConnectionConfig.mirror`.
   * @internal
   */
  readonly mirror: ConnectionConfig['mirror'];
  readonly #calls: boolean;
  readonly #options: TransportOptions;
  readonly #userAgent: string;
  #connections: ServerConnections;
  /** Those with earlier credentials, on which something may still be in progress. */
  readonly #retired: ServerConnections[] = [];
  /** In milliseconds. */
  readonly #requestTimeout: number;
  readonly #onWarning: (text: string) => void;
  readonly #closing = new AbortController();

  /**
   * Does not connect before the first request.
   * @throws {ConnectionConfigError} when `config.server` is not an http or https URL.
   * @throws {UsageError} if the user agent has characters that no header can carry, or the timeout is not a duration.
   */
  constructor(config: ConnectionConfig, options: TransportOptions = {}) {
    this.#userAgent = userAgentOf(options.userAgent);
    this.program = options.userAgent?.split(/[/ ]/, 1)[0];
    setMaxListeners(0, this.#closing.signal);
    this.#options = options;
    this.#requestTimeout = toMilliseconds(options.requestTimeout ?? '30s');
    this.clock = config.clock ?? networkClock();
    this.random = config.random ?? Math.random;
    this.mirror = config.mirror;
    this.#calls = config.call !== undefined;
    this.#connections = this.#connect(config);
    this.#onWarning =
      options.onWarning ?? distinctWarnings((text) => process.emitWarning(text, 'KubernetesWarning'));
  }

  /**
   * Sends a request and returns the parsed response. Retries 429 and 503 with `Retry-After`, and reads over a broken
   * connection, up to five times, after the delay that the server asks for (at most 30 s each). Without its own signal
   * the request ends with the work that it belongs to, and a write passes the work's fence right before its first byte
   * is sent.
   * @throws {ApiError} when the server refuses.
   * @throws {RequestTimeoutError} when one attempt takes longer than the timeout.
   * @throws {ConnectionError} if no usable response arrives. The signal's reason if it aborts.
   * @internal
   */
  async request<T>(request: TransportRequest): Promise<T> {
    const attempt = attemptOf(request, this.clock);
    // Awaited here and in what calls it, so that stacks lead to the line of the author.
    return await traced(attempt.trace, this.#send<T>(attempt));
  }

  #send<T>(attempt: Attempt): Promise<T> {
    const { tracer } = this.#options;
    if (!tracer) return this.#repeat<T>(attempt, undefined);
    const { method, resource } = attempt.request;
    const attributes: SpanAttributes = {
      'http.request.method': method,
      'server.address': this.#connections.address.host,
      ...(resource !== undefined && { 'k8s.resource': resource }),
    };
    return tracer.span(`${method} ${resource ?? 'kubernetes'}`, attributes, (span) =>
      this.#repeat<T>({ ...attempt, headers: span.headers() }, span),
    );
  }

  /**
   * Opens a long-lived stream on its own connection. It ends with an error when the signal aborts.
   * @param accept the `Accept` header; `application/json` by default.
   * @throws {ApiError} if the server refuses. Never retried: the caller knows where to resume.
   * @throws {RequestTimeoutError} when the response does not begin within 30 s.
   * @throws {ConnectionError} when the server cannot be reached.
   * @internal
   */
  async stream(
    path: string,
    query: Query,
    signal: AbortSignal,
    accept?: string,
  ): Promise<AsyncIterable<Buffer>> {
    const request = `GET ${path}`;
    const trace = observeRequest({ method: 'GET', path, query }, undefined, this.clock);
    const opened = openStream({
      clock: this.clock,
      signal,
      timeout: watchOpenTimeout,
      timedOut: () => timedOut(request, watchOpenTimeout),
      open: async (opening) => {
        const response = this.#connections.open(path, query, accept, opening);
        const { status, headers, body } = await this.#reached(response);
        trace?.responded(status);
        if (status !== 200) throw this.#refusal(request, status, headers, await textOfStream(body));
        return body;
      },
    });
    return traced(trace, opened);
  }

  /**
   * Reaches the same server with other credentials from now on. What is in progress, such as a watch, ends on its old
   * connection.
   * @throws {ConnectionConfigError} when parts of the config conflict; nothing has changed then.
   * @internal
   */
  renew(config: ConnectionConfig): void {
    const before = this.#connections;
    this.#connections = this.#connect(config);
    before.retire();
    this.#retired.push(before);
    // A watch lasts ten minutes at most, and credentials do not rotate much faster.
    if (this.#retired.length > maxRetired) void this.#retired.shift()!.close();
  }

  /** Closes every connection. Requests in progress fail, and so do later ones. */
  async close(): Promise<void> {
    this.#closing.abort(closed);
    await Promise.all([...this.#retired, this.#connections].map((connections) => connections.close()));
  }

  /** @throws {ConnectionConfigError} when the server is not an http or https URL, or parts of the config conflict. */
  #connect(config: ConnectionConfig): ServerConnections {
    const { observer, connections } = this.#options;
    return new ServerConnections(config, {
      clock: this.clock,
      userAgent: this.#userAgent,
      observer,
      connections,
    });
  }

  async #repeat<T>(attempt: Attempt, span: Span | undefined): Promise<T> {
    const { method } = attempt.request;
    for (let repeated = 0; ; repeated += 1) {
      try {
        return await (this.#calls ? this.#call<T>(attempt, span) : this.#exchange<T>(attempt, span));
      } catch (error) {
        const delay = retryDelay(error, method, repeated, this.random());
        if (delay === undefined || this.#connections.isClosed) {
          this.#options.reachability?.failed(error);
          // The stack of a socket error has no frame of the program, and that of a response error has too many above it.
          if (isConnectionError(error) || isApiError(error)) showAwaiting(error);
          throw error;
        }
        await this.#pause(delay, attempt.signal);
        this.#options.observer?.retried(method, this.#connections.address.host);
        span?.setAttributes({ 'http.request.resend_count': repeated + 1 });
      }
    }
  }

  /** Waits before a retry, unless the work ends or the transport closes. */
  async #pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
    const closing = this.#closing.signal;
    const either = signal && eitherSignal(signal, closing);
    await sleep(this.clock, milliseconds, either?.signal ?? closing);
    either?.dispose();
    signal?.throwIfAborted();
  }

  /** Asks a server in this process without HTTP, if that is possible. */
  async #call<T>(attempt: Attempt, span: Span | undefined): Promise<T> {
    attempt.signal?.throwIfAborted();
    const called = await this.#connections.call(attempt, this.#closing.signal);
    if (!called) return this.#exchange<T>(attempt, span);
    const { status, retryAfter, body, object } = called;
    return this.#resultOf(
      attempt,
      { status, headers: { 'retry-after': retryAfter }, body, object },
      span,
    ) as T;
  }

  #exchange<T>(attempt: Attempt, span: Span | undefined): Promise<T> {
    const { method, path, timeout = this.#requestTimeout } = attempt.request;
    const request = `${method} ${path}`;
    return withDeadline(
      this.clock,
      timeout,
      attempt.signal,
      () => timedOut(request, timeout),
      async (signal) => {
        const response = await this.#connections.send(attempt, signal);
        return this.#resultOf(attempt, { ...response, body: await textOf(request, response) }, span) as T;
      },
    );
  }

  /** @throws {ApiError} when the server has refused the request. */
  #resultOf(
    attempt: Attempt,
    { status, headers, body, object }: TextResponse,
    span: Span | undefined,
  ): unknown {
    const { method, path, responseType } = attempt.request;
    const request = `${method} ${path}`;
    this.#options.reachability?.responded();
    attempt.trace?.responded(status);
    span?.setAttributes({ 'http.response.status_code': status });
    for (const warning of parseWarnings(headers['warning'])) this.#onWarning(warning);
    if (status >= 300) throw this.#refusal(request, status, headers, body);
    if (responseType === 'text') return body;
    return object ? deepFreeze(object) : parse(request, body);
  }

  /** Reports the outcome of a request that will not be retried. */
  async #reached<T>(response: Promise<T>): Promise<T> {
    const { reachability } = this.#options;
    try {
      const reached = await response;
      reachability?.responded();
      return reached;
    } catch (error) {
      reachability?.failed(error);
      throw error;
    }
  }

  #refusal(request: string, status: number, headers: IncomingHttpHeaders, body: string): unknown {
    const retryAfter = parseRetryAfter(headers['retry-after'], this.clock.epoch());
    const error = responseError(status, body, retryAfter, request);
    this.#options.onRefusal?.(error);
    return error;
  }
}

function attemptOf(request: TransportRequest, clock: Clock): Attempt {
  const work = currentWork();
  const isWrite = request.method !== 'GET';
  return {
    request,
    trace: observeRequest(request, work?.requested?.(request), clock),
    signal: request.signal ?? work?.signal,
    // Read it now: when the connection sends the request, the context of the work is gone.
    fence: (isWrite && work?.fence) || (() => {}),
    body: request.body === undefined ? null : JSON.stringify(request.body),
  };
}

/** Tells the trace of a request, if it has one, how it ends. */
function traced<T>(trace: RequestTrace | undefined, ending: Promise<T>): Promise<T> {
  return trace ? followed(trace, ending) : ending;
}

async function followed<T>(trace: RequestTrace, ending: Promise<T>): Promise<T> {
  try {
    const result = await ending;
    trace.ended();
    return result;
  } catch (error) {
    trace.ended(error);
    throw error;
  }
}

async function textOf(request: string, response: BufferedResponse): Promise<string> {
  try {
    const body = decoded(response, maxResponseBytes);
    return (body instanceof Buffer ? body : await body).toString('utf8');
  } catch (error) {
    throw error instanceof RangeError ? tooLong(request, maxResponseBytes) : brokenOff(request, error);
  }
}

function parse(request: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw notJson(request);
  }
}

/** @throws {UsageError} when it has characters that no header can carry. */
function userAgentOf(program: string | undefined): string {
  if (program === undefined) return product;
  if (/^[!-~]+(\/[!-~]+)?( [ -~]*)?$/.test(program)) return `${program} ${product}`;
  throw new UsageError(
    `${JSON.stringify(program)} cannot be sent as a user agent`,
    "Write it as 'name/version', in printable ASCII.",
  );
}
