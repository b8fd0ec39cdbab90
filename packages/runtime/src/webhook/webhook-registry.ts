import { UsageError } from '../errors/usage-error.ts';

/** Answers the parsed body of one review. Throws `BadReviewError` for what is no review, and nothing else. */
export type ReviewHandler = (review: unknown) => Promise<unknown>;

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
