import { RuntimeError } from '../errors/runtime-error.ts';

/** A run took longer than the `reconcileTimeout` of its controller: the reason with which its signal aborted. */
export class ReconcileTimeoutError extends RuntimeError {
  /** Stable; to branch on. */
  readonly code = 'RECONCILE_TIMEOUT';

  /** @param milliseconds the timeout */
  constructor(milliseconds: number) {
    super(
      `the run did not end within ${milliseconds} ms`,
      'Return requeueAfter instead of waiting for something, or raise reconcileTimeout.',
    );
  }
}
