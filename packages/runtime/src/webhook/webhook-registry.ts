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

/** What a webhook is called for: by a mutating configuration, a validating one, either of them, or by a CRD. */
export type WebhookPurpose = 'mutate' | 'validate' | 'admit' | 'convert';

/** Which webhook answers at which path. */
export class WebhookRegistry {
  readonly #webhooks = new Map<string, { handler: ReviewHandler; purpose: WebhookPurpose }>();
  #isSealed = false;

  get isEmpty(): boolean {
    return this.#webhooks.size === 0;
  }

  /** @throws {UsageError} when the path is taken, or it would not be served. */
  add(path: string, handler: ReviewHandler, purpose: WebhookPurpose = 'admit'): void {
    if (this.#isSealed) {
      throw new UsageError(
        'the manager has started without webhooks, and serves none',
        'Add the first webhook before manager.start.',
      );
    }
    if (this.#webhooks.has(path)) {
      throw new UsageError(`two webhooks are served at ${path}`, 'Give one of them another path.');
    }
    this.#webhooks.set(path, { handler, purpose });
  }

  /** Nothing is served: what is added from now on would be missed in silence. */
  seal(): void {
    this.#isSealed = true;
  }

  at(path: string): ReviewHandler | undefined {
    return this.#webhooks.get(path)?.handler;
  }

  /** All paths. */
  get paths(): string[] {
    return [...this.#webhooks.keys()];
  }

  /** The paths of the webhooks that are called for this. */
  pathsFor(purpose: WebhookPurpose): string[] {
    return [...this.#webhooks].filter(([, webhook]) => webhook.purpose === purpose).map(([path]) => path);
  }
}
