import type { KubernetesObject } from 'ots-kubernetes';
import type { DeepReadonly } from '../objects/deep-readonly.ts';

/** True when the finalizer holds back the deletion of the object. */
export function hasFinalizer(object: DeepReadonly<KubernetesObject>, finalizer: string): boolean {
  return object.metadata.finalizers?.includes(finalizer) ?? false;
}

/**
 * Adds the finalizer to the object in memory; write it to the server if this returns true. `ensureFinalizer` does both
 * without a conflict with other writers.
 */
export function addFinalizer(object: KubernetesObject, finalizer: string): boolean {
  if (hasFinalizer(object, finalizer)) return false;
  object.metadata.finalizers = [...(object.metadata.finalizers ?? []), finalizer];
  return true;
}

/**
 * Removes the finalizer from the object in memory; write it to the server if this returns true. `dropFinalizer` does
 * both without a conflict with other writers.
 */
export function removeFinalizer(object: KubernetesObject, finalizer: string): boolean {
  if (!hasFinalizer(object, finalizer)) return false;
  object.metadata.finalizers = object.metadata.finalizers!.filter((each) => each !== finalizer);
  return true;
}
