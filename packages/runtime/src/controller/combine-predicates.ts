import type { KubernetesObject } from 'ots-kubernetes';
import type { Predicate } from './predicate.ts';

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
