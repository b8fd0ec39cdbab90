import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';

/** A complete response. */
export interface BufferedResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** The limits and callbacks of one exchange. */
export interface ExchangeOptions {
  /** Cancels the request when it aborts, at any stage, including while it waits for a connection. */
  signal: AbortSignal;
  /**
   * Called when a connection is ready, right before the request is written to it. If it throws, nothing is written and
   * the call rejects with that error.
   */
  beforeSending: () => void;
  /** Called when the response begins. */
  began: (status: number) => void;
  /** Creates the error for a connection that failed before the response began, or in the middle of it. */
  failed: (cause: unknown, began: boolean) => unknown;
  /** Creates the error for a successful response that exceeds the limit, in bytes. */
  tooLong: (limit: number) => unknown;
}

/** A response becomes one string, and V8 limits strings to 512 MiB; this leaves room to parse it. */
export const maxResponseBytes = 256 * 2 ** 20;
/** A Status has a few hundred bytes; a longer body is something else. */
const maxErrorBytes = 2 ** 20;

/**
 * Sends a request on one of the dispatcher's connections and collects the response.
 *
 * It calls the dispatcher directly because `undici.request` ignores the signal while a request waits for a connection,
 * and offers no hook right before a write is sent.
 */
export function sendBuffered(
  dispatcher: Pick<Dispatcher, 'dispatch'>,
  request: Dispatcher.DispatchOptions,
  options: ExchangeOptions,
): Promise<BufferedResponse> {
  return new Promise((resolve, reject) => {
    const collector = new Collector(options, resolve, reject);
    dispatcher.dispatch(request, collector);
  });
}

class Collector implements Dispatcher.DispatchHandler {
  readonly #options: ExchangeOptions;
  readonly #resolve: (response: BufferedResponse) => void;
  readonly #reject: (reason: unknown) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #head: Omit<BufferedResponse, 'body'> | undefined;
  #chunks: Buffer[] = [];
  #length = 0;
  #settled = false;

  constructor(
    options: ExchangeOptions,
    resolve: (response: BufferedResponse) => void,
    reject: (reason: unknown) => void,
  ) {
    this.#options = options;
    this.#resolve = resolve;
    this.#reject = reject;
    options.signal.addEventListener('abort', this.#abort, { once: true });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // An error here ends the request before its first byte and leaves the connection usable.
    this.#options.signal.throwIfAborted();
    try {
      this.#options.beforeSending();
    } catch (error) {
      this.#fail(error);
      throw error;
    }
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    // A 1xx status only announces the response.
    if (status < 200) return;
    this.#head = { status, headers };
    this.#options.began(status);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    const { status } = this.#head!;
    const limit = status < 300 ? maxResponseBytes : maxErrorBytes;
    if (this.#length <= limit) return;
    this.#chunks = [];
    if (status < 300) this.#fail(this.#options.tooLong(limit));
    else this.onResponseEnd();
    controller.abort(new Error('the response is too long'));
  }

  onResponseEnd(): void {
    const [first = Buffer.alloc(0), ...more] = this.#chunks;
    const body = more.length === 0 ? first : Buffer.concat(this.#chunks);
    this.#settle(() => this.#resolve({ ...this.#head!, body }));
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#fail(this.#options.failed(error, this.#head !== undefined));
  }

  readonly #abort = (): void => {
    this.#fail(this.#options.signal.reason);
    this.#controller?.abort(new Error('aborted'));
  };

  #fail(error: unknown): void {
    this.#settle(() => this.#reject(error));
  }

  #settle(finish: () => void): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#options.signal.removeEventListener('abort', this.#abort);
    finish();
  }
}
