import { ControllerBuilder, type Request, keyOf } from 'ots-runtime';
import { Node, Pod } from 'ots-kubernetes/core/v1';
import type { CachedNode } from '../nodes/cached-node.ts';
import { readiness } from '../nodes/node-state.ts';
import { indexByNode, podsOnNode } from '../pods/on-node.ts';
import { type CachedPod, isPodTerminal } from '../pods/pod-state.ts';
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
    .for(Pod, {
      predicates: [
        { create: (pod) => concerns(pod), update: (old, pod) => concerns(pod, old), delete: () => false },
      ],
    })
    .watches(Node, onNode, { predicates: [{ update: (old, node) => decisive(old) !== decisive(node) }] })
    .complete(retryRefusals(new PodGarbageReconciler(context), clock));
};

/** Whether a pod has ended or is to end, or is on another node than before. Most changes of pods are none of these. */
function concerns(pod: CachedPod, old?: CachedPod): boolean {
  const { spec, metadata } = pod;
  return (
    spec?.nodeName !== old?.spec?.nodeName || metadata.deletionTimestamp !== undefined || isPodTerminal(pod)
  );
}

function decisive(node: CachedNode): string {
  return JSON.stringify([node.spec?.taints, readiness(node)]);
}
