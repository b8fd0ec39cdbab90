import { CustomResourceDefinition } from 'ots-kubernetes/apiextensions/v1';
import { Deployment } from 'ots-kubernetes/apps/v1';
import { ServiceAccount } from 'ots-kubernetes/core/v1';
import type { KubernetesObject } from 'ots-kubernetes';
import { type Cache, ControllerBuilder, type DeepReadonly, type Request } from 'ots-runtime';
import { retryRefusals } from '../../../workloads/retry-refusals.ts';
import { ClusterServiceVersion, OperatorCondition, OperatorGroup, Subscription } from '../kinds.ts';
import { managed } from '../olm-user.ts';
import type { V0Context } from '../v0-context.ts';
import { CsvReconciler } from './csv-reconciler.ts';

/** Installs and checks the operators of ClusterServiceVersions. */
export function addCsvController(context: V0Context): void {
  const { manager, clock, cache } = context;
  cache.add(Deployment, { labelSelector: { matchLabels: managed } });
  const beside = ({ metadata }: DeepReadonly<KubernetesObject>) => versionsIn(cache, metadata.namespace);
  new ControllerBuilder(manager)
    .for(ClusterServiceVersion)
    .watches(ClusterServiceVersion, beside)
    .watches(OperatorGroup, beside)
    .watches(OperatorCondition, beside)
    .watches(Subscription, beside)
    .watches(Deployment, owner)
    .watchesMetadata(ServiceAccount, beside)
    .watchesMetadata(CustomResourceDefinition, () => versionsIn(cache))
    .complete(retryRefusals(new CsvReconciler(context), clock));
}

function owner({ metadata: { labels = {} } }: DeepReadonly<KubernetesObject>): Request[] {
  const { 'olm.owner': name, 'olm.owner.namespace': namespace } = labels;
  return name === undefined ? [] : [{ name, namespace }];
}

function versionsIn(cache: Cache, namespace?: string): Request[] {
  return cache
    .list(ClusterServiceVersion, { namespace })
    .map(({ metadata }) => ({ name: metadata.name!, namespace: metadata.namespace }));
}
