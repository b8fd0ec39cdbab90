import type { KubernetesObject } from 'ots-kubernetes';
import type { Controller } from '../controller/controller.ts';
import { ControllerBuilder } from '../controller/controller-builder.ts';
import type { Manager } from '../manager/manager.ts';
import { itemExponentialRateLimiter } from '../queue/item-exponential-rate-limiter.ts';
import { externalChanged } from './external-changed.ts';
import type { ExternalOptions } from './external-options.ts';
import { externalReconciler } from './external-reconciler.ts';

/**
 * Adds a controller to the manager that keeps something outside of the cluster as the objects of a kind describe it:
 * ```ts
 * externalResource(manager, { kind: Bucket, external: new Buckets(api) });
 * ```
 * It looks at the external resource when the spec or the annotations of the object change and from time to time (`pollInterval`),
 * creates what is missing, updates what differs, and deletes it with the object, which a finalizer keeps until it is gone. An object has
 * one external resource at most.
 *
 * The identity of the external resource is in an annotation of the object before anything is created, so a process that ends at any time
 * leaves nothing behind that the next one does not find. Before each `create`, `update` and `delete` the API server confirms that the
 * object has not changed and the leader election that this process may write.
 *
 * Two conditions say how it is: `Synced` is True when the external resource was as specified at the last look (`ReconcileSuccess`, or
 * `Creating`, `Updating`, `ReconcileError`, `CreateUnknown`), `Ready` when it can be used (`Available`, or `Creating`, `Unavailable`,
 * `Deleting`). The idea is that of Crossplane's managed resources.
 * @throws {UsageError} if a duration or setting is not valid, or a controller has the name of the kind.
 */
export function externalResource<T extends KubernetesObject, Observed>(
  manager: Manager,
  options: ExternalOptions<T, Observed>,
): Controller {
  return new ControllerBuilder(manager)
    .for(options.kind, { predicates: [externalChanged()] })
    .withOptions({
      maxConcurrentReconciles: 4,
      rateLimiter: itemExponentialRateLimiter({ base: '1s', max: '5m' }),
      ...options.settings,
    })
    .complete(externalReconciler(manager, options));
}
