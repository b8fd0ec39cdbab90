import { createLogger } from '../logging/create-logger.ts';
import type { ReconcileContext } from '../controller/reconciler.ts';

/**
 * Creates the context of a reconcile, to call a reconciler directly: `reconciler.reconcile(request, reconcileContext())`.
 * @param overrides what the test needs. By default it is the first attempt, the signal never aborts, the logger is
 *   silent, and there are no reasons.
 */
export function reconcileContext(overrides: Partial<ReconcileContext> = {}): ReconcileContext {
  return {
    signal: new AbortController().signal,
    logger: createLogger({ level: 'silent' }),
    attempt: 1,
    reconcileId: crypto.randomUUID(),
    reasons: [],
    ...overrides,
  };
}
