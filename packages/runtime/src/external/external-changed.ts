import type { KubernetesObject } from 'ots-kubernetes';
import { type Predicate, generationChanged, or } from '../controller/predicates.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import { sameJson } from '../objects/merge-patch.ts';
import {
  createFailedAnnotation,
  createStartedAnnotation,
  createdAnnotation,
  idAnnotation,
  unknownCreate,
} from './external-identity.ts';

type AnyObject = DeepReadonly<KubernetesObject>;

const results = [createdAnnotation, createFailedAnnotation];
const own = [idAnnotation, createStartedAnnotation, ...results];

/**
 * Passes updates that matter to an external resource: of the spec and of annotations. It passes none of what `externalReconciler` writes,
 * which would end the delay after a failure.
 */
export function externalChanged(): Predicate<KubernetesObject> {
  return or(generationChanged(), {
    update: (before, after) =>
      !sameJson(without(before, own), without(after, own)) || isDecided(before, after),
  });
}

/** A person has said what became of a creation: the reconciler itself also writes when it ended. */
function isDecided(before: AnyObject, after: AnyObject): boolean {
  const wasUnknown = unknownCreate(before) !== undefined;
  return (
    wasUnknown &&
    unknownCreate(after) === undefined &&
    results.every((name) => before.metadata.annotations?.[name] === after.metadata.annotations?.[name])
  );
}

function without({ metadata }: AnyObject, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(metadata.annotations ?? {}).filter(([name]) => !names.includes(name)),
  );
}
