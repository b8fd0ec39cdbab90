import { isDeepStrictEqual } from 'node:util';
import type { KubernetesObject } from 'ots-kubernetes';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import { labelMatcher } from '../selectors/label-matcher.ts';
import type { LabelSelector } from '../selectors/label-selector.ts';

/** What is known about a deletion besides the object. */
export interface DeleteDetails {
  /** True if the deletion was not observed, only the absence: the object is its last known state. */
  finalStateUnknown: boolean;
}

/**
 * Decides which events reach a controller. Events for which it defines no method pass, and so does an event for which
 * it throws.
 */
export interface Predicate<T extends KubernetesObject> {
  /** An object is new, or existed when the watch started. True passes the event on. */
  create?(object: DeepReadonly<T>): boolean;
  /** An object has changed. True passes the event on. */
  update?(oldObject: DeepReadonly<T>, object: DeepReadonly<T>): boolean;
  /** An object is gone. True passes the event on. */
  delete?(object: DeepReadonly<T>, details: DeleteDetails): boolean;
}

/**
 * Passes updates that change the generation: those of the spec, but not of only the status, labels, annotations or
 * finalizers. Setting the deletion timestamp of a custom resource counts as a change. It passes no updates of kinds
 * without a generation, such as ConfigMap.
 */
export function generationChanged(): Predicate<KubernetesObject> {
  return { update: (oldObject, object) => oldObject.metadata.generation !== object.metadata.generation };
}

/**
 * Passes updates that change annotations. To receive changes of the spec too: `or(generationChanged(),
 * annotationChanged())`.
 */
export function annotationChanged(): Predicate<KubernetesObject> {
  return changed('annotations');
}

/** Passes updates that change labels. */
export function labelChanged(): Predicate<KubernetesObject> {
  return changed('labels');
}

function changed(field: 'annotations' | 'labels'): Predicate<KubernetesObject> {
  return {
    update: ({ metadata: before }, { metadata: after }) =>
      !isDeepStrictEqual(before[field] ?? {}, after[field] ?? {}),
  };
}

/**
 * Passes events of objects that a label selector selects, and the update with which an object stops matching. A
 * selector of the cache costs less: the server does not send the other objects.
 * @param selector such as `{ matchLabels: { app: 'web' } }`, or as after `kubectl --selector`.
 * @throws {SelectorError} if Kubernetes would refuse the selector.
 */
export function matchesLabels(selector: LabelSelector | string): Predicate<KubernetesObject> {
  const matches = labelMatcher(selector);
  return {
    create: ({ metadata }) => matches(metadata.labels),
    update: (oldObject, object) => matches(oldObject.metadata.labels) || matches(object.metadata.labels),
    delete: ({ metadata }) => matches(metadata.labels),
  };
}

/** Passes events that all predicates pass. */
export function and<T extends KubernetesObject>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return {
    create: (object) => predicates.every((predicate) => predicate.create?.(object) ?? true),
    update: (before, after) => predicates.every((predicate) => predicate.update?.(before, after) ?? true),
    delete: (object, details) => predicates.every((predicate) => predicate.delete?.(object, details) ?? true),
  };
}

/** Passes events that at least one predicate passes, including every event for which one of them defines no method. */
export function or<T extends KubernetesObject>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return {
    create: (object) => predicates.some((predicate) => predicate.create?.(object) ?? true),
    update: (before, after) => predicates.some((predicate) => predicate.update?.(before, after) ?? true),
    delete: (object, details) => predicates.some((predicate) => predicate.delete?.(object, details) ?? true),
  };
}

/** Passes events that the predicate stops, and no event for which it defines no method. */
export function not<T extends KubernetesObject>(predicate: Predicate<T>): Predicate<T> {
  return {
    create: (object) => !(predicate.create?.(object) ?? true),
    update: (before, after) => !(predicate.update?.(before, after) ?? true),
    delete: (object, details) => !(predicate.delete?.(object, details) ?? true),
  };
}
