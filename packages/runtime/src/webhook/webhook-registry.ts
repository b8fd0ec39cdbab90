import { UsageError } from '../errors/usage-error.ts';
import type { WebhookObserver } from './webhook-observer.ts';

/** What a handler receives besides the review. */
export interface ReviewCall {
  /** Aborts when the API server hangs up or its timeout is over: the response would not be read anymore. */
  signal: AbortSignal;
  /** Observes failing handlers. */
  observer?: WebhookObserver | undefined;
}

/** Handles the parsed body of one review. Throws only `BadReviewError`, if it is not a review. */
export type ReviewHandler = (review: unknown, call: ReviewCall) => Promise<unknown>;

/** What calls a webhook: a mutating configuration, a validating one, either of them, or a CRD. */
export type WebhookPurpose = 'mutate' | 'validate' | 'admit' | 'convert';

/** The webhooks by path. */
export class WebhookRegistry {
  readonly #webhooks = new Map<string, { handler: ReviewHandler; purpose: WebhookPurpose }>();
  #isSealed = false;

  get isEmpty(): boolean {
    return this.#webhooks.size === 0;
  }

  /** @throws {UsageError} if the path is taken, or the webhook would not be served. */
  add(path: string, handler: ReviewHandler, purpose: WebhookPurpose = 'admit'): void {
    if (this.#isSealed) {
      throw new UsageError(
        'The manager has started without webhooks and serves none',
        'Add the first webhook before manager.start.',
      );
    }
    if (this.#webhooks.has(path)) {
      throw new UsageError(`Two webhooks are served at ${path}`, 'Give one of them another path.');
    }
    this.#webhooks.set(path, { handler, purpose });
  }

  /** Marks that nothing is served: a webhook that is added from now on would silently not be served. */
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

  /** The paths of the webhooks for this purpose. */
  pathsFor(purpose: WebhookPurpose): string[] {
    return [...this.#webhooks].filter(([, webhook]) => webhook.purpose === purpose).map(([path]) => path);
  }
}
