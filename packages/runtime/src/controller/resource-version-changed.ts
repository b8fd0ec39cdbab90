import type { KubernetesObject } from 'ots-kubernetes';
import type { Predicate } from './predicate.ts';

/** Passes updates that change anything at all: not what a resync reports. */
export function resourceVersionChanged(): Predicate<KubernetesObject> {
  return {
    update: (oldObject, object) => oldObject.metadata.resourceVersion !== object.metadata.resourceVersion,
  };
}
