import { Job } from 'ots-kubernetes/batch/v1';
import { ConfigMap, Namespace, Pod } from 'ots-kubernetes/core/v1';
import type { KubernetesObject } from 'ots-kubernetes';
import { type Cache, ControllerBuilder, type DeepReadonly, type Request } from 'ots-runtime';
import { retryRefusals } from '../../../workloads/retry-refusals.ts';
import { CatalogSource, ClusterServiceVersion, InstallPlan, OperatorGroup, Subscription } from '../kinds.ts';
import { managed } from '../olm-user.ts';
import type { V0Context } from '../v0-context.ts';
import { unpackLabel } from './bundle-unpacker.ts';
import { NamespaceReconciler } from './namespace-reconciler.ts';

/** Resolves the Subscriptions of namespaces. */
export function addNamespaceController(context: V0Context): void {
  const { manager, clock, cache } = context;
  cache.add(ConfigMap, { labelSelector: { matchLabels: managed } });
  cache.add(Job, { labelSelector: { matchLabels: managed } });
  new ControllerBuilder(manager)
    .named('resolver')
    .for(Namespace)
    .watches(Subscription, own)
    .watches(OperatorGroup, own)
    .watches(ClusterServiceVersion, own)
    .watches(InstallPlan, own)
    .watches(CatalogSource, () => subscribed(cache))
    .watches(Job, () => subscribed(cache))
    .watches(Pod, (pod) => (pod.metadata.labels?.[unpackLabel] === undefined ? [] : subscribed(cache)))
    .complete(retryRefusals(new NamespaceReconciler(context), clock));
}

function own({ metadata }: DeepReadonly<KubernetesObject>): Request[] {
  return [{ name: metadata.namespace! }];
}

/** The namespaces with Subscriptions. */
function subscribed(cache: Cache): Request[] {
  return [...new Set(cache.list(Subscription).map(({ metadata }) => metadata.namespace!))].map((name) => ({
    name,
  }));
}
