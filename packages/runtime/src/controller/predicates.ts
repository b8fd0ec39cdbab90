import { isDeepStrictEqual } from 'node:util';
import type { KubernetesObject } from 'ots-kubernetes';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import { labelMatcher } from '../selectors/label-matcher.ts';
import type { LabelSelector } from '../selectors/label-selector.ts';

/** What is known of a deletion beside the object. */
export interface DeleteDetails {
  /** True when the end of the object was not seen, only that it is gone: the object is its last known state. */
  finalStateUnknown: boolean;
}

/** Decides which events reach a controller. What it does not define passes, and so does an event it throws for. */
export interface Predicate<T extends KubernetesObject> {
  /** An object is new, or was there when the watch began. True passes the event on. */
  create?(object: DeepReadonly<T>): boolean;
  /** An object has changed. True passes the event on. */
  update?(oldObject: DeepReadonly<T>, object: DeepReadonly<T>): boolean;
  /** An object is gone. True passes the event on. */
  delete?(object: DeepReadonly<T>, details: DeleteDetails): boolean;
}

/**
 * Passes updates that change what is wanted: not those of status, labels, annotations or finalizers alone. Setting the
 * deletion timestamp of a custom resource counts as a change. Kinds without a generation, such as ConfigMap, have no
 * updates that it passes.
 */
export function generationChanged(): Predicate<KubernetesObject> {
  return { update: (oldObject, object) => oldObject.metadata.generation !== object.metadata.generation };
}

/**
 * Passes updates that change annotations. To be told of changes of the spec as well:
 * `or(generationChanged(), annotationChanged())`.
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

/** Passes what all of the predicates pass. */
export function and<T extends KubernetesObject>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return {
    create: (object) => predicates.every((predicate) => predicate.create?.(object) ?? true),
    update: (before, after) => predicates.every((predicate) => predicate.update?.(before, after) ?? true),
    delete: (object, details) => predicates.every((predicate) => predicate.delete?.(object, details) ?? true),
  };
}

/** Passes what at least one of the predicates passes: all events of a kind that one of them does not define. */
export function or<T extends KubernetesObject>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return {
    create: (object) => predicates.some((predicate) => predicate.create?.(object) ?? true),
    update: (before, after) => predicates.some((predicate) => predicate.update?.(before, after) ?? true),
    delete: (object, details) => predicates.some((predicate) => predicate.delete?.(object, details) ?? true),
  };
}

/** Passes what the predicate stops: nothing of what it does not define. */
export function not<T extends KubernetesObject>(predicate: Predicate<T>): Predicate<T> {
  return {
    create: (object) => !(predicate.create?.(object) ?? true),
    update: (before, after) => !(predicate.update?.(before, after) ?? true),
    delete: (object, details) => !(predicate.delete?.(object, details) ?? true),
  };
}
