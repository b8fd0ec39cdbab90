import { ControllerRevision, DaemonSet } from 'ots-kubernetes/apps/v1';
import { Node, Pod } from 'ots-kubernetes/core/v1';
import {
  type Cache,
  ControllerBuilder,
  type DeepReadonly,
  type MapFunction,
  type Predicate,
  type Request,
  controllerOf,
} from 'ots-runtime';
import { controlledBy, indexByController } from '../pods/controlled.ts';
import { ownersOf } from '../pods/owners-of.ts';
import { retryRefusals } from '../retry-refusals.ts';
import type { AddController } from '../workload-context.ts';
import type { CachedDaemonSet } from './daemon-pod.ts';
import { DaemonSetReconciler } from './daemon-set-reconciler.ts';
import { nodePlacement } from './node-placement.ts';

/** Keeps a pod of each DaemonSet on the nodes that it selects, as the daemonset-controller of kube-controller-manager does. */
export const addDaemonSetController: AddController = (context) => {
  const { manager, clock } = context;
  indexByController(manager.cache, Pod);
  indexByController(manager.cache, ControllerRevision);
  new ControllerBuilder(manager)
    .for(DaemonSet)
    .watches(Pod, ownersOf(manager.cache, DaemonSet))
    .watches(ControllerRevision, ownersOf(manager.cache, DaemonSet), { predicates: [revisionEvents] })
    .watches(Node, concernedBy(manager.cache), { predicates: [{ delete: () => false }] })
    .complete(retryRefusals(new DaemonSetReconciler(context), clock));
};

/** A new revision that has an owner wakes no set, even if it repeats another; nor does an orphan that is gone. */
const revisionEvents: Predicate<ControllerRevision> = {
  create: (revision) => !controllerOf(revision),
  delete: (revision) => controllerOf(revision) !== undefined,
};

/** Maps a node, as it is now, to the DaemonSets that must start or stop a pod there, or count their misplaced pods again. */
function concernedBy(cache: Cache): MapFunction<Node> {
  return ({ metadata: { name: node = '' } }) => {
    const current = cache.get(Node, { name: node });
    if (!current) return [];
    const isConcerned = (set: DeepReadonly<DaemonSet>) => {
      const { starts, stays } = nodePlacement(set as CachedDaemonSet, current);
      const isScheduled = controlledBy(cache, Pod, set).some(({ spec }) => spec?.nodeName === node);
      return isScheduled ? !stays || (set.status?.numberMisscheduled ?? 0) > 0 : starts;
    };
    return cache
      .list(DaemonSet)
      .filter(isConcerned)
      .map(({ metadata: { name = '', namespace } }): Request => ({ name, namespace }))
      .toSorted((a, b) => (`${a.namespace}/${a.name}` < `${b.namespace}/${b.name}` ? -1 : 1));
  };
}
