import { type LabelMatcher, labelMatcher } from 'ots-apimachinery/selectors/label-matcher';
import { selectorRequirements } from 'ots-apimachinery/selectors/selector-requirements';
import type { DeepReadonly } from 'ots-runtime';
import type { LabelSelector } from 'ots-kubernetes/meta/v1';

/** Tests labels with the selector of an object. An empty selector matches everything, a missing one nothing, as in Kubernetes. */
export function labelSelectorMatcher(selector: DeepReadonly<LabelSelector> | undefined): LabelMatcher {
  return selector ? labelMatcher(selectorRequirements(selector)) : () => false;
}
