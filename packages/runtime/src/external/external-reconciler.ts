import type { KubernetesObject } from 'ots-kubernetes';
import type { Reconciler } from '../controller/reconciler.ts';
import type { Manager } from '../manager/manager.ts';
import { ExternalCalls } from './external-calls.ts';
import { ExternalObject } from './external-object.ts';
import { type ExternalReconcilerOptions, positive } from './external-options.ts';
import { ExternalRun, type ExternalRunOptions } from './external-run.ts';
import { UnstoredResults } from './unstored-results.ts';

/**
 * Returns the reconciler of `externalResource`, for a controller that watches more, or is named otherwise:
 * ```ts
 * new ControllerBuilder(manager)
 *   .for(Bucket, { predicates: [externalChanged()] })
 *   .watches(Secret, bucketsThatUse)
 *   .complete(externalReconciler(manager, { kind: Bucket, external: new Buckets(api) }));
 * ```
 * The predicate keeps what it writes from reconciling the object again.
 * @throws {UsageError} if a duration is not valid.
 */
export function externalReconciler<T extends KubernetesObject, Observed>(
  manager: Manager,
  options: ExternalReconcilerOptions<T, Observed>,
): Reconciler {
  const { client, now, random, networkClock } = manager;
  const { kind, external, pollInterval = '10m', callTimeout = '1m' } = options;
  const unstored = new UnstoredResults();
  const shared: ExternalRunOptions<T, Observed> = {
    external,
    deletionPolicy: (object) => options.deletionPolicy?.(object) ?? 'Delete',
    calls: new ExternalCalls(networkClock, positive('callTimeout', callTimeout)),
    unstored,
    now,
    random,
    pollInterval: positive('pollInterval', pollInterval),
  };
  // Not a class: errors name the class of a reconciler, and users have not written this one.
  return {
    async reconcile(request, context) {
      const object = await client.get(kind, request);
      if (!object) return unstored.delete(request);
      return new ExternalRun(shared, new ExternalObject(client, kind, object), context).run();
    },
  };
}
