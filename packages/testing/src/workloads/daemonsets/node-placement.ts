import type { CachedNode } from '../nodes/cached-node.ts';
import { untoleratedTaint } from '../nodes/taints.ts';
import { requiredNodeMatcher } from '../scheduling/node-affinity.ts';
import { type CachedDaemonSet, daemonTolerations } from './daemon-pod.ts';

/** What a DaemonSet may do on a node. */
export interface NodePlacement {
  /** Whether a pod may start. */
  readonly starts: boolean;
  /** Whether a pod that runs may stay. */
  readonly stays: boolean;
}

/** Decides by the name, the labels and the taints of a node. */
export function nodePlacement(set: CachedDaemonSet, node: CachedNode): NodePlacement {
  const spec = set.spec.template.spec!;
  const { name = '', labels = {} } = node.metadata;
  const matches = requiredNodeMatcher({ apiVersion: 'v1', kind: 'Pod', metadata: {}, spec });
  if ((spec.nodeName && spec.nodeName !== name) || matches?.({ labels, node }) === false)
    return { starts: false, stays: false };
  const tolerations = daemonTolerations(spec);
  const { taints } = node.spec ?? {};
  return {
    starts: !untoleratedTaint(taints, tolerations, ['NoSchedule', 'NoExecute']),
    stays: !untoleratedTaint(taints, tolerations, ['NoExecute']),
  };
}
