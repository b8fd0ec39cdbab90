import type { Affinity, PodSpec } from 'ots-kubernetes/core/v1';
import type { LabelSelector } from 'ots-kubernetes/meta/v1';
import type { LabelKeys } from './validation/validate-affinity.ts';

/**
 * Adds what a pod's own labels say to the selectors which name keys of labels only: pods like this one in these respects.
 * Changes the spec.
 */
export function applyLabelKeys(spec: PodSpec, labels: Record<string, string>): void {
  for (const term of termsOf(spec.affinity ?? {})) apply(term, labels);
  for (const constraint of spec.topologySpreadConstraints ?? []) apply(constraint, labels);
}

function termsOf({ podAffinity, podAntiAffinity }: Affinity): LabelKeys[] {
  return [podAffinity, podAntiAffinity].flatMap((affinity) => [
    ...(affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(
      ({ podAffinityTerm }) => podAffinityTerm,
    ),
    ...(affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
  ]);
}

/** Nothing is added to a selector that is not there: it selects no pods at all. */
function apply(keys: LabelKeys, labels: Record<string, string>): void {
  const { matchLabelKeys = [], mismatchLabelKeys = [], labelSelector } = keys;
  if (!labelSelector) return;
  addExpressions(labelSelector, matchLabelKeys, 'In', labels);
  addExpressions(labelSelector, mismatchLabelKeys, 'NotIn', labels);
}

function addExpressions(
  selector: LabelSelector,
  keys: readonly string[],
  operator: 'In' | 'NotIn',
  labels: Record<string, string>,
): void {
  const added = keys.flatMap((key) => {
    const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
    return value === undefined ? [] : [{ key, operator, values: [value] }];
  });
  if (added.length > 0) selector.matchExpressions = [...(selector.matchExpressions ?? []), ...added];
}
