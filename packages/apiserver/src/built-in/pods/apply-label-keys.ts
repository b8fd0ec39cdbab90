import type { Affinity, PodSpec } from 'ots-kubernetes/core/v1';
import type { LabelSelector } from 'ots-kubernetes/meta/v1';
import type { LabelKeys } from './validation/validate-affinity.ts';

/** Adds the values of a pod's own labels to selectors that only name label keys. Changes the spec. */
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

/** An absent selector selects no pods, so nothing is added to it. */
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
