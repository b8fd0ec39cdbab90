import type { CachedPod } from '../pods/pod-state.ts';
import type { NodeView } from './cluster-state.ts';

/** Why a pod cannot run on a node, in the words of kube-scheduler. */
export interface Rejection {
  readonly reasons: readonly string[];
  /** Whether the removal of other pods could help. */
  readonly isResolvable: boolean;
}

/** Decides for one pod whether it can run on a node. */
export type Filter = (view: NodeView) => Rejection | undefined;

/** Prepares the decision for a pod. @returns undefined if the pod does not ask for what the filter checks */
export type MakeFilter = (pod: CachedPod, nodes: readonly NodeView[]) => Filter | undefined;

/** A rejection that the removal of other pods does not change. */
export function unresolvable(reason: string): Rejection {
  return { reasons: [reason], isResolvable: false };
}

/** A rejection that may end when other pods are removed. */
export function resolvable(...reasons: readonly string[]): Rejection {
  return { reasons, isResolvable: true };
}
