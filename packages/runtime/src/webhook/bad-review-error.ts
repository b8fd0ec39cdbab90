import { RuntimeError } from '../errors/runtime-error.ts';

/** A request to the webhook server is none that an API server sends. */
export class BadReviewError extends RuntimeError {
  readonly code = 'BAD_REVIEW';
  /** The HTTP status of the answer. */
  readonly status: 400 | 405 | 413 | 415;

  constructor(status: 400 | 405 | 413 | 415, message: string) {
    super(message, 'Only an API server is meant to call webhooks.');
    this.status = status;
  }
}
