import { UsageError } from '../errors/usage-error.ts';
import type { WebhookObserver } from './webhook-observer.ts';

/** What a handler is told beside the review. */
export interface ReviewCall {
  /** Aborts when the API server hangs up or its timeout is over: nobody reads the answer any more. */
  signal: AbortSignal;
  /** Told of handlers that fail. */
  observer?: WebhookObserver | undefined;
}

/** Answers the parsed body of one review. Throws `BadReviewError` for what is no review, and nothing else. */
export type ReviewHandler = (review: unknown, call: ReviewCall) => Promise<unknown>;

/** Which webhook answers at which path. */
export class WebhookRegistry {
  readonly #handlers = new Map<string, ReviewHandler>();

  get isEmpty(): boolean {
    return this.#handlers.size === 0;
  }

  /** @throws {UsageError} when the path is taken. */
  add(path: string, handler: ReviewHandler): void {
    if (this.#handlers.has(path)) {
      throw new UsageError(`two webhooks are served at ${path}`, 'Give one of them another path.');
    }
    this.#handlers.set(path, handler);
  }

  at(path: string): ReviewHandler | undefined {
    return this.#handlers.get(path);
  }
}
