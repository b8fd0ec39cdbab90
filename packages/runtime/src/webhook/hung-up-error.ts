import { RuntimeError } from '../errors/runtime-error.ts';

/** Why the signal of a webhook handler aborts: nobody waits for its answer any more. */
export class HungUpError extends RuntimeError {
  readonly code = 'HUNG_UP';

  constructor(message: string) {
    super(message, 'Answer faster, or raise timeoutSeconds in the webhook configuration (30 at most).');
  }
}
