import type { Kind, KubernetesObject } from 'ots-kubernetes';
import type { Client } from '../client/client.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import type { ReconcileContext, Reconciler, Result } from './reconciler.ts';

/**
 * A reconciler that receives the object instead of its name and is not called if the object does not exist: cleanup
 * needs a finalizer.
 * @param client reads the object: `manager.client`.
 */
export function objectReconciler<T extends KubernetesObject>(
  client: Pick<Client, 'get'>,
  kind: Kind<T>,
  reconcile: (object: DeepReadonly<T>, context: ReconcileContext) => Promise<Result | void>,
): Reconciler {
  return {
    async reconcile(request, context) {
      const object = await client.get(kind, request);
      return object && reconcile(object, context);
    },
  };
}
