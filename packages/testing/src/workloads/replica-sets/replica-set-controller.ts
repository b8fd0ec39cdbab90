import { ControllerBuilder } from 'ots-runtime';
import { ReplicaSet } from 'ots-kubernetes/apps/v1';
import { Pod } from 'ots-kubernetes/core/v1';
import { indexByController } from '../pods/controlled.ts';
import { ownersOf } from '../pods/owners-of.ts';
import { differsForController } from '../pods/pod-state.ts';
import { retryRefusals } from '../retry-refusals.ts';
import type { AddController } from '../workload-context.ts';
import { ReplicaSetReconciler } from './replica-set-reconciler.ts';

/** Keeps the number of pods of each ReplicaSet, as the replicaset-controller of kube-controller-manager does. */
export const addReplicaSetController: AddController = (context) => {
  const { manager, clock } = context;
  indexByController(manager.cache, Pod);
  indexByController(manager.cache, ReplicaSet);
  new ControllerBuilder(manager)
    .for(ReplicaSet)
    .watches(Pod, ownersOf(manager.cache, ReplicaSet), { predicates: [{ update: differsForController }] })
    .complete(retryRefusals(new ReplicaSetReconciler(context), clock));
};
