import { ControllerBuilder } from 'ots-runtime';
import { ControllerRevision, StatefulSet } from 'ots-kubernetes/apps/v1';
import { PersistentVolumeClaim, Pod } from 'ots-kubernetes/core/v1';
import { indexByController } from '../pods/controlled.ts';
import { ownersOf } from '../pods/owners-of.ts';
import { retryRefusals } from '../retry-refusals.ts';
import type { AddController } from '../workload-context.ts';
import { StatefulSetReconciler } from './stateful-set-reconciler.ts';

/** Keeps the pods of each StatefulSet, as the statefulset-controller of kube-controller-manager does. */
export const addStatefulSetController: AddController = (context) => {
  const { manager, clock } = context;
  indexByController(manager.cache, Pod);
  indexByController(manager.cache, ControllerRevision);
  manager.cache.add(PersistentVolumeClaim);
  manager.cache.add(ControllerRevision);
  new ControllerBuilder(manager)
    .for(StatefulSet)
    .watches(Pod, ownersOf(manager.cache, StatefulSet))
    .complete(retryRefusals(new StatefulSetReconciler(context), clock));
};
