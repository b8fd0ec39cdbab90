import type { Cache } from 'ots-runtime';
import type { CachedPod } from '../pods/pod-state.ts';
import { type PodClaims, podClaims, volumeBinding } from './claims.ts';
import type { ClusterState, NodeView } from './cluster-state.ts';
import type { Filter, MakeFilter, Rejection } from './filter.ts';
import { unavailable } from './fit-error.ts';
import { namedNodes, nodeAffinity, nodeNames } from './node-affinity.ts';
import { nodePorts, nodeResourcesFit, nodeUnschedulable, taintToleration } from './node-filters.ts';
import { podAffinity } from './pod-affinity.ts';
import { bestNode } from './scores.ts';
import { podTopologySpread } from './topology-spread.ts';

/** Where a pod can run. */
export type Placement =
  | { readonly view: NodeView; readonly claims: PodClaims }
  /** No node fits. */
  | { readonly rejections: ReadonlyMap<NodeView, Rejection> }
  /** No node can fit: the message says why. */
  | { readonly message: string };

const beforeVolumes: readonly MakeFilter[] = [
  namedNodes,
  nodeUnschedulable,
  taintToleration,
  nodeAffinity,
  nodePorts,
  nodeResourcesFit,
];

/**
 * Prepares all filters for a pod, in the order of kube-scheduler: each node has the reasons of the first one that refuses it.
 *
 * @param nodes with the pods that count
 */
export function filterOf(pod: CachedPod, nodes: readonly NodeView[], scheduling: Scheduling): Filter {
  const filter = plainFilterOf(pod, nodes, scheduling);
  return (view) => {
    // The pods for which others make room may come, or not.
    const crowded = scheduling.state.withNominated(view, pod);
    if (!crowded) return filter(view);
    const crowdedNodes = nodes.map((each) => (each === view ? crowded : each));
    return plainFilterOf(pod, crowdedNodes, scheduling)(crowded) ?? filter(view);
  };
}

interface Scheduling {
  readonly state: ClusterState;
  readonly cache: Cache;
  readonly claims: PodClaims;
}

function plainFilterOf(
  pod: CachedPod,
  nodes: readonly NodeView[],
  { state, cache, claims }: Scheduling,
): Filter {
  const filters = [
    ...beforeVolumes.map((make) => make(pod, nodes)),
    volumeBinding(claims, cache),
    podTopologySpread(pod, nodes),
    podAffinity(state)(pod, nodes),
  ].filter((filter) => filter !== undefined);
  return (view) => {
    for (const filter of filters) {
      const rejection = filter(view);
      if (rejection) return rejection;
    }
    return undefined;
  };
}

/** Chooses the node for a pod. */
export function placementOf(pod: CachedPod, state: ClusterState, cache: Cache): Placement {
  const { nodes } = state;
  if (nodes.length === 0) return { message: 'no nodes available to schedule pods' };
  const claims = nodeNames(pod)?.size === 0 ? 'pod affinity terms conflict' : podClaims(pod, cache);
  // The end is that of kube-scheduler: a plugin does not find what it would have prepared.
  if (typeof claims === 'string') return { message: `${unavailable(nodes.length, claims)} not found` };
  const filter = filterOf(pod, nodes, { state, cache, claims });
  const rejections = new Map<NodeView, Rejection>();
  const feasible: NodeView[] = [];
  for (const view of nodes) {
    const rejection = filter(view);
    if (rejection) rejections.set(view, rejection);
    else feasible.push(view);
  }
  const nominated = feasible.find(({ node }) => node.metadata.name === pod.status?.nominatedNodeName);
  const view = nominated ?? bestNode(pod, feasible, { state, cache });
  return view ? { view, claims } : { rejections };
}
