import { RuntimeError } from '../errors/runtime-error.ts';

/** Throw it from a webhook handler to refuse a request that breaks no field rule: the answer is 403 Forbidden. */
export class DeniedError extends RuntimeError {
  /** Stable; to branch on. */
  readonly code = 'DENIED';

  /** @param message shown to whoever sends the object. */
  constructor(message: string) {
    super(message, 'See the message of the webhook.');
  }
}
