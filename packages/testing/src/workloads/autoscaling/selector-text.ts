import type { LabelSelector } from 'ots-kubernetes/meta/v1';
import type { DeepReadonly } from 'ots-runtime';

/** A label selector as Go prints it. */
export function selectorText(selector: DeepReadonly<LabelSelector> | undefined): string {
  if (!selector) return 'nil';
  const labels = Object.entries(selector.matchLabels ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const labelTexts = labels.map(([key, value]) => `${key}: ${value},`);
  const requirements = (selector.matchExpressions ?? []).map(
    ({ key, operator, values = [] }) =>
      `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],},`,
  );
  return `&LabelSelector{MatchLabels:map[string]string{${labelTexts.join('')}},MatchExpressions:[]LabelSelectorRequirement{${requirements.join('')}},}`;
}
