import {
  type LabelMatcher,
  type LabelRequirement,
  labelMatcher,
} from 'ots-apimachinery/selectors/label-matcher';
import type { LabelSelector } from 'ots-kubernetes/meta/v1';
import { validateLabelSelector } from './validate-label-selector.ts';

/**
 * Compiles a selector with `matchLabels` and `matchExpressions`: a missing one selects nothing, an empty one
 * everything.
 *
 * @returns undefined for an invalid selector
 */
export function labelSelectorOf(selector: LabelSelector | undefined): LabelMatcher | undefined {
  if (!selector) return () => false;
  if (validateLabelSelector(selector, '').length > 0) return undefined;
  const wanted = Object.entries(selector.matchLabels ?? {});
  return labelMatcher([
    ...wanted.map(([key, value]): LabelRequirement => ({ key, operator: 'In', values: [value] })),
    ...(selector.matchExpressions ?? []).map(({ key, operator, values = [] }): LabelRequirement => {
      // Another operator does not pass the validation.
      return { key, operator: operator as LabelRequirement['operator'], values };
    }),
  ]);
}
