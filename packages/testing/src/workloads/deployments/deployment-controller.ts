import { type Cache, type DeepReadonly, ControllerBuilder, type Request, controllerOf } from 'ots-runtime';
import { Deployment, ReplicaSet } from 'ots-kubernetes/apps/v1';
import { Pod } from 'ots-kubernetes/core/v1';
import { indexByController } from '../pods/controlled.ts';
import { ownersOf } from '../pods/owners-of.ts';
import { retryRefusals } from '../retry-refusals.ts';
import type { AddController } from '../workload-context.ts';
import { DeploymentReconciler } from './deployment-reconciler.ts';

/** Rolls out Deployments, as the deployment-controller of kube-controller-manager does. */
export const addDeploymentController: AddController = (context) => {
  const { manager, clock } = context;
  indexByController(manager.cache, Pod);
  indexByController(manager.cache, ReplicaSet);
  const onlyDeletions = { create: () => false, update: () => false };
  new ControllerBuilder(manager)
    .for(Deployment)
    .watches(ReplicaSet, ownersOf(manager.cache, Deployment))
    .watches(Pod, (pod) => recreatingOwners(manager.cache, pod), { predicates: [onlyDeletions] })
    .complete(retryRefusals(new DeploymentReconciler(context), clock));
};

/** A Deployment that recreates its pods waits for the old ones to be gone. */
function recreatingOwners(cache: Cache, pod: DeepReadonly<Pod>): readonly Request[] {
  const owner = controllerOf(pod);
  if (owner?.kind !== 'ReplicaSet') return [];
  const { namespace } = pod.metadata;
  const set = cache.get(ReplicaSet, { name: owner.name, namespace });
  const controller = set && controllerOf(set);
  if (controller?.kind !== 'Deployment') return [];
  const request = { name: controller.name, namespace };
  return cache.get(Deployment, request)?.spec?.strategy?.type === 'Recreate' ? [request] : [];
}
