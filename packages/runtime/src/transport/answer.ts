import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';

/** An answer that has arrived as a whole. */
export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** What to do while an answer is on its way. */
export interface AnswerOptions {
  /** Gives the request up when it aborts, wherever it is: also while it waits for a connection. */
  signal: AbortSignal;
  /**
   * Called when a connection is ready and the request is about to be written to it. When it throws, nothing is
   * written, and the answer fails with what it threw.
   */
  beforeSending: () => void;
  /** Called when the answer begins. */
  began: (status: number) => void;
  /** Makes the error of a connection that failed: before the answer began, or in the middle of it. */
  failed: (cause: unknown, began: boolean) => unknown;
  /** Makes the error of a success that is longer than an answer may be. */
  tooLong: (limit: number) => unknown;
}

/** An answer becomes one string, and V8's longest has 512 MiB; this leaves room to parse it. */
export const maxResponseBytes = 256 * 2 ** 20;
/** A Status is a few hundred bytes; what is longer is none. */
const maxErrorBytes = 2 ** 20;

/**
 * Sends a request on one of the dispatcher's connections and collects the answer.
 *
 * It speaks to the dispatcher itself because `undici.request` leaves a request that waits for a connection waiting
 * when its signal aborts, and has no last moment at which a write can be held back.
 */
export function answerTo(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  options: AnswerOptions,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const collector = new Collector(options, resolve, reject);
    dispatcher.dispatch(request, collector);
  });
}

class Collector implements Dispatcher.DispatchHandler {
  readonly #options: AnswerOptions;
  readonly #resolve: (answer: Answer) => void;
  readonly #reject: (reason: unknown) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #answer: Omit<Answer, 'body'> | undefined;
  #chunks: Buffer[] = [];
  #length = 0;
  #settled = false;

  constructor(options: AnswerOptions, resolve: (answer: Answer) => void, reject: (reason: unknown) => void) {
    this.#options = options;
    this.#resolve = resolve;
    this.#reject = reject;
    options.signal.addEventListener('abort', this.#abort, { once: true });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // What is thrown here ends the request before its first byte, and leaves the connection to the next one.
    this.#options.signal.throwIfAborted();
    try {
      this.#options.beforeSending();
    } catch (error) {
      this.#fail(error);
      throw error;
    }
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    // 1xx only announces the answer.
    if (status < 200) return;
    this.#answer = { status, headers };
    this.#options.began(status);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    const { status } = this.#answer!;
    const limit = status < 300 ? maxResponseBytes : maxErrorBytes;
    if (this.#length <= limit) return;
    this.#chunks = [];
    if (status < 300) this.#fail(this.#options.tooLong(limit));
    else this.onResponseEnd();
    controller.abort(new Error('the answer is too long'));
  }

  onResponseEnd(): void {
    const [first = Buffer.alloc(0), ...more] = this.#chunks;
    const body = more.length === 0 ? first : Buffer.concat(this.#chunks);
    this.#settle(() => this.#resolve({ ...this.#answer!, body }));
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#fail(this.#options.failed(error, this.#answer !== undefined));
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
