import type { KubernetesObject } from 'ots-kubernetes';
import { labelMatcher } from '../selectors/label-matcher.ts';
import type { LabelSelector } from '../selectors/label-selector.ts';
import type { Predicate } from './predicate.ts';

/**
 * Passes events of objects that a label selector selects, and the update by which an object leaves it. A selector of
 * the cache costs less: it keeps the other objects from being sent.
 * @param selector such as `{ matchLabels: { app: 'web' } }`, or as after `kubectl --selector`.
 * @throws {SelectorError} when Kubernetes would refuse the selector.
 */
export function matchesLabels(selector: LabelSelector | string): Predicate<KubernetesObject> {
  const matches = labelMatcher(selector);
  return {
    create: ({ metadata }) => matches(metadata.labels),
    update: (oldObject, object) => matches(oldObject.metadata.labels) || matches(object.metadata.labels),
    delete: ({ metadata }) => matches(metadata.labels),
  };
}
