import type { LabelMatcher } from 'ots-apimachinery/selectors/label-matcher';
import type { TopologySpreadConstraint } from 'ots-kubernetes/core/v1';
import type { Cache, DeepReadonly } from 'ots-runtime';
import type { CachedPod } from '../pods/pod-state.ts';
import { untoleratedTaint } from '../nodes/taints.ts';
import { labelSelectorMatcher } from '../pods/label-selector-matcher.ts';
import type { NodeView } from './cluster-state.ts';
import { type MakeFilter, resolvable, unresolvable } from './filter.ts';
import { relatedPods } from './related-pods.ts';
import { requiredNodeMatcher } from './node-affinity.ts';

type Constraint = DeepReadonly<TopologySpreadConstraint>;

const hostname = 'kubernetes.io/hostname';

interface Spread {
  readonly constraint: Constraint;
  readonly matches: LabelMatcher;
  /** How many matching pods each value of the topology key has. */
  readonly counts: ReadonlyMap<string, number>;
}

/** Nodes where the pod would make the spread of pods more uneven than its constraints allow. */
export const podTopologySpread: MakeFilter = (pod, nodes) => {
  const spreads = spreadsOf(pod, nodes);
  if (spreads.length === 0) return undefined;
  const missing = unresolvable(
    "node(s) didn't match pod topology spread constraints (missing required label)",
  );
  const uneven = resolvable("node(s) didn't match pod topology spread constraints");
  return ({ labels }) => {
    for (const { constraint, matches, counts } of spreads) {
      const value = labels[constraint.topologyKey];
      if (value === undefined) return missing;
      const own = matches(pod.metadata.labels) ? 1 : 0;
      const least = counts.size < (constraint.minDomains ?? 1) ? 0 : Math.min(...counts.values());
      if ((counts.get(value) ?? 0) + own - least > constraint.maxSkew) return uneven;
    }
    return undefined;
  };
};

/** With which kube-scheduler spreads the pods of Services and controllers that have no constraints themselves. */
const defaultConstraints: readonly Constraint[] = [
  { maxSkew: 3, topologyKey: hostname, whenUnsatisfiable: 'ScheduleAnyway' },
  { maxSkew: 5, topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'ScheduleAnyway' },
];

/**
 * How unevenly pods would be spread with the pod on a node, by the constraints that only prefer nodes; lower is better.
 *
 * @param feasible the nodes to choose from
 * @param nodes all nodes
 * @returns undefined for a node that lacks a label of the constraints; undefined without constraints
 */
export function spreadCost(
  pod: CachedPod,
  { feasible, nodes, cache }: { feasible: readonly NodeView[]; nodes: readonly NodeView[]; cache: Cache },
): ((view: NodeView) => number | undefined) | undefined {
  const own = pod.spec?.topologySpreadConstraints ?? [];
  const related = own.length === 0 ? relatedPods(pod, cache) : undefined;
  const constraints = related
    ? defaultConstraints
    : own.filter(({ whenUnsatisfiable }) => whenUnsatisfiable === 'ScheduleAnyway');
  if (constraints.length === 0) return undefined;
  const isCovered = ({ labels }: NodeView): boolean =>
    related !== undefined || constraints.every(({ topologyKey }) => topologyKey in labels);
  const covered = feasible.filter(isCovered);
  const costs = constraints.map((constraint) => {
    const { topologyKey, maxSkew } = constraint;
    const matches = related ?? constraintMatcher(constraint, pod);
    const counts = topologyKey === hostname ? undefined : new Map<string | undefined, number>();
    for (const { labels } of covered) counts?.set(labels[topologyKey], 0);
    for (const view of counts ? nodes : []) {
      const value = view.labels[topologyKey];
      if (value === undefined || !counts!.has(value) || !isCovered(view) || !isCounted(constraint, pod, view))
        continue;
      counts!.set(value, counts!.get(value)! + countMatching(view, pod, matches));
    }
    const weight = Math.log((counts?.size ?? covered.length) + 2);
    return (view: NodeView): number => {
      const value = view.labels[topologyKey];
      if (value === undefined) return 0;
      const count = counts ? counts.get(value)! : countMatching(view, pod, matches);
      return count * weight + maxSkew - 1;
    };
  });
  return (view) =>
    isCovered(view) ? Math.round(costs.reduce((sum, costOf) => sum + costOf(view), 0)) : undefined;
}

function spreadsOf(pod: CachedPod, nodes: readonly NodeView[]): Spread[] {
  const constraints = (pod.spec?.topologySpreadConstraints ?? []).filter(
    ({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule',
  );
  if (constraints.length === 0) return [];
  const eligible = nodes.filter(({ labels }) =>
    constraints.every(({ topologyKey }) => topologyKey in labels),
  );
  return constraints.map((constraint) => {
    const matches = constraintMatcher(constraint, pod);
    const counts = new Map<string, number>();
    for (const view of eligible) {
      if (!isCounted(constraint, pod, view)) continue;
      const value = view.labels[constraint.topologyKey]!;
      counts.set(value, (counts.get(value) ?? 0) + countMatching(view, pod, matches));
    }
    return { constraint, matches, counts };
  });
}

/** `matchLabelKeys` adds the values that the pod has to the selector. */
function constraintMatcher({ labelSelector, matchLabelKeys = [] }: Constraint, pod: CachedPod): LabelMatcher {
  const matches = labelSelectorMatcher(labelSelector);
  const own = pod.metadata.labels ?? {};
  const keys = matchLabelKeys.filter((key) => key in own);
  return (labels = {}) => matches(labels) && keys.every((key) => labels[key] === own[key]);
}

function isCounted(
  { nodeAffinityPolicy = 'Honor', nodeTaintsPolicy = 'Ignore' }: Constraint,
  pod: CachedPod,
  view: NodeView,
): boolean {
  if (nodeAffinityPolicy === 'Honor' && !(requiredNodeMatcher(pod)?.(view) ?? true)) return false;
  if (nodeTaintsPolicy !== 'Honor') return true;
  return !untoleratedTaint(view.node.spec?.taints, pod.spec?.tolerations, ['NoSchedule', 'NoExecute']);
}

function countMatching({ pods }: NodeView, { metadata }: CachedPod, matches: LabelMatcher): number {
  let count = 0;
  for (const { pod } of pods.values()) {
    const { namespace, labels, deletionTimestamp } = pod.metadata;
    if (deletionTimestamp === undefined && namespace === metadata.namespace && matches(labels)) count += 1;
  }
  return count;
}
