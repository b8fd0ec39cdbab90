import type { KubernetesObject } from 'ots-kubernetes';
import type { Predicate } from './predicate.ts';

/**
 * Passes updates that change what is wanted: not those of status, labels, annotations or finalizers alone. Setting the
 * deletion timestamp of a custom resource counts as a change. Kinds without a generation, such as ConfigMap, have no
 * updates that it passes.
 */
export function generationChanged(): Predicate<KubernetesObject> {
  return { update: (oldObject, object) => oldObject.metadata.generation !== object.metadata.generation };
}
