import type { CachedPod } from '../pods/pod-state.ts';
import { untoleratedTaint } from '../nodes/taints.ts';
import type { Cache } from 'ots-runtime';
import type { ClusterState, NodeView } from './cluster-state.ts';
import { preferredNodeScore } from './node-affinity.ts';
import { preferredPodScore } from './pod-affinity.ts';
import { podRequests } from './pod-requests.ts';
import { spreadCost } from './topology-spread.ts';

/** Values a node for a pod; more is better. */
type Score = (view: NodeView) => number;

/** What kube-scheduler takes for a container that requests nothing. */
const defaultRequests: ReadonlyMap<string, number> = new Map([
  ['cpu', 100],
  ['memory', 200 * 1024 ** 2],
]);

/**
 * Chooses the best of the nodes on which a pod can run, with the scores and weights of kube-scheduler. Of equal nodes it takes the
 * one with the fewest pods, then the first: kube-scheduler draws lots.
 */
export function bestNode(
  pod: CachedPod,
  feasible: readonly NodeView[],
  { state, cache }: { state: ClusterState; cache: Cache },
): NodeView | undefined {
  if (feasible.length <= 1) return feasible[0];
  const { nodes } = state;
  const cost = spreadCost(pod, { feasible, nodes, cache });
  const near = preferredPodScore(pod, nodes, state);
  const wanted = preferredNodeScore(pod);
  const weighted: readonly (readonly [weight: number, scores: readonly number[]])[] = [
    [3, fewest(feasible.map((view) => preferredTaints(pod, view)))],
    [2, wanted ? shareOfMost(feasible.map(wanted)) : []],
    [2, near ? stretched(feasible.map(near)) : []],
    [2, cost ? evenness(feasible.map(cost)) : []],
    [1, feasible.map(leastAllocated(pod))],
  ];
  const total = (i: number): number =>
    weighted.reduce((sum, [weight, scores]) => sum + weight * (scores[i] ?? 0), 0);
  const ranked = feasible.map((view, i) => ({ view, total: total(i) }));
  return ranked.reduce((best, each) => {
    const lead = each.total - best.total;
    return lead > 0 || (lead === 0 && each.view.pods.size < best.view.pods.size) ? each : best;
  }).view;
}

/** 100 for nothing, 0 for the most. */
function fewest(values: readonly number[]): number[] {
  const most = Math.max(...values);
  return values.map((value) => (most === 0 ? 100 : 100 - Math.trunc((100 * value) / most)));
}

/** 100 for the most. */
function shareOfMost(values: readonly number[]): number[] {
  const most = Math.max(...values);
  return values.map((value) => (most === 0 ? 0 : Math.trunc((100 * value) / most)));
}

/** 0 for the least, 100 for the most. */
function stretched(values: readonly number[]): number[] {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return values.map((value) => (most === least ? 0 : Math.trunc((100 * (value - least)) / (most - least))));
}

/** 100 for the lowest cost, 0 without one. */
function evenness(costs: readonly (number | undefined)[]): number[] {
  const known = costs.filter((cost) => cost !== undefined);
  const [least, most] = [Math.min(...known), Math.max(0, ...known)];
  return costs.map((cost) => {
    if (cost === undefined) return 0;
    return most === 0 ? 100 : Math.trunc((100 * (most + least - cost)) / most);
  });
}

function preferredTaints({ spec }: CachedPod, { node }: NodeView): number {
  const taints = node.spec?.taints ?? [];
  return taints.filter((taint) => untoleratedTaint([taint], spec?.tolerations, ['PreferNoSchedule'])).length;
}

/** The mean of what is left of CPU and memory, in percent. */
function leastAllocated(pod: CachedPod): Score {
  const requests = podRequests(pod);
  return ({ allocatable, requested, pods }) => {
    let free = 0;
    for (const [name, least] of defaultRequests) {
      const capacity = allocatable.get(name) ?? 0;
      const used = Math.max(requested.get(name) ?? 0, pods.size * least) + (requests.get(name) || least);
      if (capacity > 0) free += Math.trunc((100 * Math.max(0, capacity - used)) / capacity);
    }
    return Math.trunc(free / defaultRequests.size);
  };
}
