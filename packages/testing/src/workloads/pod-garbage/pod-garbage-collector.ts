import { ControllerBuilder, type Request, keyOf } from 'ots-runtime';
import { Node, Pod } from 'ots-kubernetes/core/v1';
import type { CachedNode } from '../nodes/cached-node.ts';
import { knownNodeOf } from '../nodes/known-node.ts';
import { readiness } from '../nodes/node-state.ts';
import { indexByNode, podsOnNode } from '../pods/on-node.ts';
import type { CachedPod } from '../pods/pod-state.ts';
import { retryRefusals } from '../retry-refusals.ts';
import type { AddController } from '../workload-context.ts';
import { PodGarbageReconciler, mayBeGarbage } from './pod-garbage-reconciler.ts';
import { indexByEnd } from './ended-pods.ts';

/** Deletes pods that no kubelet ends, as the pod-garbage-collector-controller of kube-controller-manager does. */
export const addPodGarbageCollector: AddController = (context) => {
  const { manager, clock } = context;
  const { cache } = manager;
  indexByNode(cache);
  indexByEnd(cache);
  const reconciler = new PodGarbageReconciler(context);
  cache
    .informer(Node)
    .addHandler({ added: (node) => reconciler.found(node), updated: () => {}, deleted: () => {} });
  const concerns = (pod: CachedPod): boolean => mayBeGarbage(pod, knownNodeOf(cache, pod));
  const onNode = ({ metadata }: CachedNode): Request[] =>
    podsOnNode(cache, metadata.name!).map((pod) => keyOf(pod));
  new ControllerBuilder(manager)
    .named('pod-garbage-collector')
    .for(Pod, {
      predicates: [{ create: concerns, update: (_old, pod) => concerns(pod), delete: () => false }],
    })
    .watches(Node, onNode, { predicates: [{ update: (old, node) => decisive(old) !== decisive(node) }] })
    .complete(retryRefusals(reconciler, clock));
};

function decisive(node: CachedNode): string {
  return JSON.stringify([node.spec?.taints, readiness(node)]);
}
