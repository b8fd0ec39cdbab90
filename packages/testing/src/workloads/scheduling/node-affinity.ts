import { type LabelMatcher, labelMatcher } from 'ots-apimachinery/selectors/label-matcher';
import type { NodeSelector, NodeSelectorTerm } from 'ots-kubernetes/core/v1';
import type { DeepReadonly } from 'ots-runtime';
import type { CachedPod } from '../pods/pod-state.ts';
import type { NodeView } from './cluster-state.ts';
import { type MakeFilter, unresolvable } from './filter.ts';

type Term = DeepReadonly<NodeSelectorTerm>;
type Matches = (view: Pick<NodeView, 'labels' | 'node'>) => boolean;

/** Whether a node has the labels that the pod selects with `nodeSelector` and its required node affinity. */
export function requiredNodeMatcher({ spec }: CachedPod): Matches | undefined {
  const { nodeSelector = {}, affinity } = spec ?? {};
  const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const selected = Object.entries(nodeSelector);
  if (selected.length === 0 && !required) return undefined;
  const matches = required ? nodeSelectorMatcher(required) : () => true;
  return (view) => selected.every(([key, value]) => view.labels[key] === value) && matches(view);
}

/** Whether a node matches one of the terms of a selector. */
export function nodeSelectorMatcher({ nodeSelectorTerms }: DeepReadonly<NodeSelector>): Matches {
  const terms = nodeSelectorTerms.map(termMatcher);
  return (view) => terms.some((matches) => matches(view));
}

/** Nodes that do not match `nodeSelector` and the required node affinity. */
export const nodeAffinity: MakeFilter = (pod) => {
  const matches = requiredNodeMatcher(pod);
  if (!matches) return undefined;
  const rejection = unresolvable("node(s) didn't match Pod's node affinity/selector");
  return (view) => (matches(view) ? undefined : rejection);
};

/** Nodes other than those that the required node affinity names. The pods of DaemonSets name one. */
export const namedNodes: MakeFilter = (pod) => {
  const names = nodeNames(pod);
  if (!names) return undefined;
  const rejection = unresolvable("node(s) didn't satisfy plugin(s) [NodeAffinity]");
  return ({ node }) => (names.has(node.metadata.name!) ? undefined : rejection);
};

/** The names of the nodes that a pod can run on by the fields in all terms of its required node affinity; undefined if any name will do. */
export function nodeNames({ spec }: CachedPod): ReadonlySet<string> | undefined {
  const terms =
    spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const names = new Set<string>();
  for (const { matchFields = [] } of terms) {
    const lists = matchFields
      .filter(({ key, operator }) => key === 'metadata.name' && operator === 'In')
      .map(({ values = [] }) => values);
    if (lists.length === 0) return undefined;
    for (const name of lists[0]!) if (lists.every((list) => list.includes(name))) names.add(name);
  }
  return terms.length > 0 ? names : undefined;
}

/** The weights of the preferred terms that a node matches. */
export function preferredNodeScore({ spec }: CachedPod): ((view: NodeView) => number) | undefined {
  const preferred = spec?.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  if (preferred.length === 0) return undefined;
  const terms = preferred.map(({ preference, weight }) => ({ matches: termMatcher(preference), weight }));
  return (view) => terms.reduce((sum, { matches, weight }) => sum + (matches(view) ? weight : 0), 0);
}

/** An empty term matches nothing. */
function termMatcher({ matchExpressions = [], matchFields = [] }: Term): Matches {
  if (matchExpressions.length === 0 && matchFields.length === 0) return () => false;
  const labelsMatch = requirementsMatcher(matchExpressions);
  const fieldsMatch = requirementsMatcher(matchFields);
  return ({ labels, node }) => labelsMatch(labels) && fieldsMatch({ 'metadata.name': node.metadata.name! });
}

function requirementsMatcher(requirements: NonNullable<Term['matchExpressions']>): LabelMatcher {
  return labelMatcher(
    requirements.map(({ key, operator, values = [] }) => ({
      key,
      operator,
      values,
    })),
  );
}
