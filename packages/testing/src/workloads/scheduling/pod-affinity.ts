import type { PodAffinityTerm, WeightedPodAffinityTerm } from 'ots-kubernetes/core/v1';
import type { DeepReadonly } from 'ots-runtime';
import type { CachedPod } from '../pods/pod-state.ts';
import { labelSelectorMatcher } from '../pods/label-selector-matcher.ts';
import type { ClusterState, NodeView } from './cluster-state.ts';
import { type MakeFilter, resolvable, unresolvable } from './filter.ts';

type Term = DeepReadonly<PodAffinityTerm>;
type Topology = { readonly key: string; readonly value: string };

/** The pods that a term is about. */
type TermMatcher = (pod: CachedPod) => boolean;

/** Nodes that the required affinities and anti-affinities of pods exclude. */
export function podAffinity(state: ClusterState): MakeFilter {
  return (pod, nodes) => {
    const { podAffinity: toward, podAntiAffinity: away } = pod.spec?.affinity ?? {};
    const wanted = prepare(toward?.requiredDuringSchedulingIgnoredDuringExecution, pod, state);
    const unwanted = prepare(away?.requiredDuringSchedulingIgnoredDuringExecution, pod, state);
    const refusing = refusedTopologies(pod, nodes, state);
    if (wanted.length + unwanted.length + refusing.size === 0) return undefined;
    const near = wanted.map(({ term, matches }) => topologiesWith(nodes, term, matches));
    const taken = unwanted.map(({ term, matches }) => topologiesWith(nodes, term, matches));
    const isFirst = near.every((values) => values.size === 0) && wanted.every(({ matches }) => matches(pod));
    return ({ labels }) => {
      if (!wanted.every(({ term }) => term.topologyKey in labels)) return missesAffinity;
      if (!isFirst && wanted.some(({ term }, i) => !near[i]!.has(labels[term.topologyKey]!)))
        return missesAffinity;
      if (unwanted.some(({ term }, i) => taken[i]!.has(labels[term.topologyKey] ?? '')))
        return violatesAntiAffinity;
      return Object.entries(labels).some(([key, value]) => refusing.has(topologyText({ key, value })))
        ? violatesExisting
        : undefined;
    };
  };
}

const missesAffinity = unresolvable("node(s) didn't match pod affinity rules");
const violatesAntiAffinity = resolvable("node(s) didn't match pod anti-affinity rules");
const violatesExisting = resolvable("node(s) didn't satisfy existing pods anti-affinity rules");

/** How much the preferred affinities of a pod favor a node; negative for anti-affinity. */
export function preferredPodScore(
  pod: CachedPod,
  nodes: readonly NodeView[],
  state: ClusterState,
): ((view: NodeView) => number) | undefined {
  const { podAffinity: toward, podAntiAffinity: away } = pod.spec?.affinity ?? {};
  const weighted = (terms: readonly DeepReadonly<WeightedPodAffinityTerm>[] = [], sign: number) =>
    terms.map(({ podAffinityTerm: term, weight }) => ({
      key: term.topologyKey,
      values: topologiesWith(nodes, term, termMatcher(term, pod, state)),
      weight: sign * weight,
    }));
  const all = [
    ...weighted(toward?.preferredDuringSchedulingIgnoredDuringExecution, 1),
    ...weighted(away?.preferredDuringSchedulingIgnoredDuringExecution, -1),
  ];
  if (all.length === 0) return undefined;
  return ({ labels }) =>
    all.reduce((sum, { key, values, weight }) => sum + (values.has(labels[key] ?? '') ? weight : 0), 0);
}

function prepare(terms: readonly Term[] = [], pod: CachedPod, state: ClusterState) {
  return terms.map((term) => ({ term, matches: termMatcher(term, pod, state) }));
}

/** The values of the topology key of a term where a pod runs that the term is about. */
function topologiesWith(
  nodes: readonly NodeView[],
  { topologyKey }: Term,
  matches: TermMatcher,
): Set<string> {
  const values = new Set<string>();
  for (const { labels, pods } of nodes) {
    const value = labels[topologyKey];
    if (value === undefined || values.has(value)) continue;
    for (const placed of pods.values()) if (matches(placed.pod)) values.add(value);
  }
  return values;
}

/** Where pods run whose anti-affinity excludes the pod. */
function refusedTopologies(pod: CachedPod, nodes: readonly NodeView[], state: ClusterState): Set<string> {
  const refused = new Set<string>();
  for (const { labels, pods } of nodes)
    for (const { pod: existing, refuses } of pods.values())
      for (const term of refuses) {
        const value = labels[term.topologyKey];
        if (value === undefined || !termMatcher(term, existing, state)(pod)) continue;
        refused.add(topologyText({ key: term.topologyKey, value }));
      }
  return refused;
}

function topologyText({ key, value }: Topology): string {
  return `${key}=${value}`;
}

/** A term without namespaces is about the namespace of its pod. */
function termMatcher(term: Term, owner: CachedPod, state: ClusterState): TermMatcher {
  const {
    labelSelector,
    namespaces = [],
    namespaceSelector,
    matchLabelKeys = [],
    mismatchLabelKeys = [],
  } = term;
  const matches = labelSelectorMatcher(labelSelector);
  const selectsNamespace = labelSelectorMatcher(namespaceSelector);
  const own = owner.metadata.labels ?? {};
  const isOwn = namespaces.length === 0 && !namespaceSelector;
  const covers = (namespace: string): boolean =>
    isOwn
      ? namespace === owner.metadata.namespace
      : namespaces.includes(namespace) ||
        (namespaceSelector !== undefined && selectsNamespace(state.labelsOfNamespace(namespace)));
  return ({ metadata: { namespace = '', labels = {} } }) =>
    covers(namespace) &&
    matches(labels) &&
    matchLabelKeys.every((key) => !(key in own) || labels[key] === own[key]) &&
    mismatchLabelKeys.every((key) => !(key in own) || labels[key] !== own[key]);
}
