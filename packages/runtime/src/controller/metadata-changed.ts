import { isDeepStrictEqual } from 'node:util';
import type { KubernetesObject } from 'ots-kubernetes';
import type { Predicate } from './predicate.ts';

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
