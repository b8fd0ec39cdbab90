import { ControllerBuilder, type Request, keyOf } from 'ots-runtime';
import { Node, Pod } from 'ots-kubernetes/core/v1';
import type { CachedNode } from '../nodes/cached-node.ts';
import { knownNodeOf } from '../nodes/known-node.ts';
import { indexByNode, podsOnNode } from '../pods/on-node.ts';
import type { CachedPod } from '../pods/pod-state.ts';
import { retryRefusals } from '../retry-refusals.ts';
import type { AddController } from '../workload-context.ts';
import { TaintEvictionReconciler, evictingTaints } from './taint-eviction-reconciler.ts';

/** Deletes the pods that do not tolerate the taints of their node, as the taint-eviction-controller of kube-controller-manager does. */
export const addTaintEvictionController: AddController = (context) => {
  const { manager, clock } = context;
  indexByNode(manager.cache);
  const onNode = ({ metadata }: CachedNode): Request[] =>
    podsOnNode(manager.cache, metadata.name!).map((pod) => keyOf(pod));
  // A node that gets taints leads to its pods.
  const mayEvict = (pod: CachedPod): boolean => {
    const node = knownNodeOf(manager.cache, pod);
    return pod.spec?.nodeName !== undefined && (!node || evictingTaints(node).length > 0);
  };
  new ControllerBuilder(manager)
    .named('taint-eviction')
    .watches(Pod, (pod) => [keyOf(pod)], {
      predicates: [
        {
          create: mayEvict,
          update: (old, pod) => mayEvict(pod) && decisive(old) !== decisive(pod),
        },
      ],
    })
    .watches(Node, onNode, {
      predicates: [
        {
          update: (old, node) => taintsText(old) !== taintsText(node),
          delete: () => false,
        },
      ],
    })
    .complete(retryRefusals(new TaintEvictionReconciler(context), clock));
};

function decisive({ spec }: CachedPod): string {
  return JSON.stringify([spec?.nodeName, spec?.tolerations]);
}

function taintsText(node: CachedNode): string {
  return JSON.stringify(evictingTaints(node));
}
