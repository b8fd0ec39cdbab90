import { type LabelMatcher, labelMatcher } from 'ots-apimachinery/selectors/label-matcher';
import { parseLabelSelector } from 'ots-apimachinery/selectors/parse-label-selector';
import { formatSelector } from './format-selector.ts';

const matchers = new WeakMap<object, LabelMatcher>();

/**
 * The matcher of a `LabelSelector`. An empty selector matches everything.
 *
 * @param selector a stored selector, which does not change: the matcher is compiled once
 */
export function selectorMatcher(selector: object): LabelMatcher {
  let matcher = matchers.get(selector);
  if (!matcher)
    matchers.set(selector, (matcher = labelMatcher(parseLabelSelector(formatSelector(selector)))));
  return matcher;
}
