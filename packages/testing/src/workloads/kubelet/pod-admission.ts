import type { CachedNode } from '../nodes/cached-node.ts';
import { untoleratedTaint } from '../nodes/taints.ts';
import type { CachedPod } from '../pods/pod-state.ts';
import { type NodeView, type PlacedPod, placedPod } from '../scheduling/cluster-state.ts';
import { nodeAffinity } from '../scheduling/node-affinity.ts';
import { nodePorts } from '../scheduling/node-filters.ts';
import { addResources, resourcesOf } from '../scheduling/pod-requests.ts';

/** Why a kubelet does not run a pod, as the status of the pod says it. */
export interface Refusal {
  readonly reason: string;
  readonly message: string;
}

const nodeSystem = 'linux';

/**
 * Decides which pods a node runs: a pod that a client has bound may ask for more than the node has
 * (https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/#nodename).
 */
export class PodAdmission {
  /** Those that the node runs, by their uids. */
  readonly #pods = new Map<string, PlacedPod>();
  readonly #requested = new Map<string, number>();

  /** Counts a pod from now on, unless the node refuses it. One that has run before is not refused. */
  admit(pod: CachedPod, node: CachedNode): Refusal | undefined {
    const placed = placedPod(pod);
    const view = {
      node,
      labels: node.metadata.labels ?? {},
      allocatable: resourcesOf(node.status?.allocatable),
      requested: this.#requested,
      pods: this.#pods,
    };
    const isNew = pod.status?.startTime === undefined;
    const refusal = isNew ? (otherSystem(pod) ?? shortage(placed, view) ?? misfit(pod, view)) : undefined;
    if (refusal) return refusal;
    this.#pods.set(pod.metadata.uid!, placed);
    addResources(this.#requested, placed.requests);
    return undefined;
  }

  /** Counts a pod no more: its containers have ended. */
  release(uid: string): void {
    const placed = this.#pods.get(uid);
    if (!placed) return;
    this.#pods.delete(uid);
    addResources(this.#requested, placed.requests, -1);
  }
}

function otherSystem({ metadata, spec }: CachedPod): Refusal | undefined {
  if ((metadata.labels?.['kubernetes.io/os'] ?? nodeSystem) !== nodeSystem)
    return {
      reason: 'PodOSSelectorNodeLabelDoesNotMatch',
      message: "Failed to admit pod as the `kubernetes.io/os` label doesn't match node label",
    };
  if ((spec?.os?.name ?? nodeSystem) === nodeSystem) return undefined;
  return {
    reason: 'PodOSNotSupported',
    message: "Failed to admit pod as the OS field doesn't match node OS",
  };
}

/** What the node has too little of. A kubelet ignores an extended resource that its node does not have at all. */
function shortage({ requests }: PlacedPod, { allocatable, requested, pods }: NodeView): Refusal | undefined {
  const wanted: readonly (readonly [name: string, amount: number, used: number])[] = [
    ['pods', 1, pods.size],
    ...[...requests].map(([name, amount]) => [name, amount, requested.get(name) ?? 0] as const),
  ];
  for (const [name, amount, used] of wanted) {
    const capacity = allocatable.get(name) ?? (name.includes('/') ? Infinity : 0);
    if (amount === 0 || used + amount <= capacity) continue;
    const amounts = `requested: ${amount}, used: ${used}, capacity: ${capacity}`;
    return { reason: `OutOf${name}`, message: `Node didn't have enough resource: ${name}, ${amounts}` };
  }
  return undefined;
}

function misfit(pod: CachedPod, view: NodeView): Refusal | undefined {
  for (const [name, make] of [
    ['NodeAffinity', nodeAffinity],
    ['NodePorts', nodePorts],
  ] as const) {
    const rejection = make(pod, [view])?.(view);
    if (rejection) return refusalBy(name, rejection.reasons[0]!);
  }
  const taint = untoleratedTaint(view.node.spec?.taints, pod.spec?.tolerations, ['NoExecute']);
  return taint && refusalBy('TaintToleration', "node(s) had taints that the pod didn't tolerate");
}

function refusalBy(reason: string, why: string): Refusal {
  return { reason, message: `Predicate ${reason} failed: ${why}` };
}
