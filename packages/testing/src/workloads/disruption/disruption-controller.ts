import { ControllerBuilder } from 'ots-runtime';
import { Deployment, ReplicaSet, StatefulSet } from 'ots-kubernetes/apps/v1';
import { Pod } from 'ots-kubernetes/core/v1';
import { PodDisruptionBudget } from 'ots-kubernetes/policy/v1';
import { selectedBy } from '../pods/owners-of.ts';
import { retryRefusals } from '../retry-refusals.ts';
import type { AddController } from '../workload-context.ts';
import { DisruptionReconciler } from './disruption-reconciler.ts';

/** Keeps the status of PodDisruptionBudgets, as the disruption-controller of kube-controller-manager does. */
export const addDisruptionController: AddController = (context) => {
  const { manager, clock } = context;
  manager.cache.add(Deployment);
  manager.cache.add(ReplicaSet);
  manager.cache.add(StatefulSet);
  new ControllerBuilder(manager)
    .for(PodDisruptionBudget)
    .watches(Pod, selectedBy(manager.cache, PodDisruptionBudget))
    .complete(retryRefusals(new DisruptionReconciler(context), clock));
};
