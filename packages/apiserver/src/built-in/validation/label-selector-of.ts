import { type LabelMatcher, labelMatcher } from 'ots-apimachinery/selectors/label-matcher';
import { selectorRequirements } from 'ots-apimachinery/selectors/selector-requirements';
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
  return labelMatcher(selectorRequirements(selector));
}
