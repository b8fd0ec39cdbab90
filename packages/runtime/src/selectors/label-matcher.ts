import { type LabelMatcher, labelMatcher as matcherOf } from 'ots-apimachinery/selectors/label-matcher';
import { labelRequirements } from './label-requirements.ts';
import type { LabelSelector } from './label-selector.ts';

/**
 * Compiles a selector in either form for testing the labels of many objects.
 * @throws {SelectorError} when Kubernetes would refuse the selector.
 */
export function labelMatcher(selector: string | LabelSelector): LabelMatcher {
  return matcherOf(labelRequirements(selector));
}
