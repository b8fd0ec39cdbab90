import { RuntimeError } from '../errors/runtime-error.ts';

/** What was waited for did not come true in time. `cause` is what the last probe threw, if it did. */
export class WaitTimeoutError extends RuntimeError {
  /** Stable; to branch on. */
  readonly code = 'WAIT_TIMEOUT';
}
