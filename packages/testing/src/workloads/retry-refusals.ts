import type { Clock } from 'ots-apimachinery/clock/clock';
import { isNamespaceTerminating } from './pods/pod-control.ts';
import { type Reconciler, isApiError, itemExponentialRateLimiter } from 'ots-runtime';

/** A controller cannot do all of its work yet, although no request was refused. */
export class NotYetError extends Error {}

/**
 * A reconciler that is retried with growing delays after the server refused a request or while something is missing. That is part of the life of a cluster, so it
 * is not logged as the failure of a controller.
 */
export function retryRefusals(reconciler: Reconciler, clock: Clock): Reconciler {
  const limiter = itemExponentialRateLimiter({ clock });
  return {
    reconcile: async (request, context) => {
      const key = `${request.namespace}/${request.name}`;
      try {
        const result = await reconciler.reconcile(request, context);
        limiter.forget(key);
        return result;
      } catch (error) {
        if (error instanceof NotYetError) return { requeueAfter: limiter.when(key) };
        if (!isApiError(error)) throw error;
        if (isNamespaceTerminating(error)) return;
        return { requeueAfter: limiter.when(key) };
      }
    },
  };
}
