import { ControllerBuilder, type Request, keyOf } from 'ots-runtime';
import { Node, Pod } from 'ots-kubernetes/core/v1';
import type { CachedNode } from '../nodes/cached-node.ts';
import { indexByNode, podsOnNode } from '../pods/on-node.ts';
import { retryRefusals } from '../retry-refusals.ts';
import type { AddController } from '../workload-context.ts';
import { PodGarbageReconciler } from './pod-garbage-reconciler.ts';
import { indexByEnd } from './ended-pods.ts';

/** Deletes pods that no kubelet ends, as the pod-garbage-collector-controller of kube-controller-manager does. */
export const addPodGarbageCollector: AddController = (context) => {
  const { manager, clock } = context;
  indexByNode(manager.cache);
  indexByEnd(manager.cache);
  const onNode = ({ metadata }: CachedNode): Request[] =>
    podsOnNode(manager.cache, metadata.name!).map((pod) => keyOf(pod));
  new ControllerBuilder(manager)
    .named('pod-garbage-collector')
    .for(Pod)
    .watches(Node, onNode)
    .complete(retryRefusals(new PodGarbageReconciler(context), clock));
};
