import type { NodeCondition } from 'ots-kubernetes/core/v1';
import type { DeepReadonly } from 'ots-runtime';
import type { CachedNode } from './cached-node.ts';

/** A condition of a node; undefined if it has none of the type. */
export function nodeCondition({ status }: CachedNode, type: string): DeepReadonly<NodeCondition> | undefined {
  return status?.conditions?.find((condition) => condition.type === type);
}

/** The status of the condition Ready; undefined if the kubelet has not reported it. */
export function readiness(node: CachedNode): string | undefined {
  return nodeCondition(node, 'Ready')?.status;
}
