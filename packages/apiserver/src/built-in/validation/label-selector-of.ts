import type { LabelSelector as SelectorFields } from 'ots-kubernetes/meta/v1';
import type { LabelSelector } from '../../selectors/label-selector.ts';
import { validateLabelSelector } from './validate-label-selector.ts';

/**
 * Compiles a selector with `matchLabels` and `matchExpressions`: a missing one selects nothing, an empty one
 * everything.
 *
 * @returns undefined for an invalid selector
 */
export function labelSelectorOf(selector: SelectorFields | undefined): LabelSelector | undefined {
  if (!selector) return () => false;
  if (validateLabelSelector(selector, '').length > 0) return undefined;
  const wanted = Object.entries(selector.matchLabels ?? {});
  const requirements = selector.matchExpressions ?? [];
  return (labels) =>
    wanted.every(([key, value]) => valueOf(labels, key) === value) &&
    requirements.every(({ key, operator, values = [] }) => {
      const value = valueOf(labels, key);
      const isOneOf = value !== undefined && values.includes(value);
      if (operator === 'In') return isOneOf;
      if (operator === 'NotIn') return !isOneOf;
      return (operator === 'Exists') === (value !== undefined);
    });
}

function valueOf(labels: Record<string, string>, key: string): string | undefined {
  return Object.hasOwn(labels, key) ? labels[key] : undefined;
}
