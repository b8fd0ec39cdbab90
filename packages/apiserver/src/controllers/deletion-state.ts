import type { ApiObject } from '../json/api-object.ts';
import { foregroundFinalizer, orphanFinalizer } from '../registry/propagation-finalizers.ts';

/** Whether an object that is being deleted waits until its dependents are gone. */
export function isDeletingDependents(object: ApiObject): boolean {
  return isDeletedWith(object, foregroundFinalizer);
}

/** Whether an object that is being deleted waits until no object refers to it as owner. */
export function isOrphaningDependents(object: ApiObject): boolean {
  return isDeletedWith(object, orphanFinalizer);
}

function isDeletedWith({ metadata }: ApiObject, finalizer: string): boolean {
  return metadata.deletionTimestamp !== undefined && (metadata.finalizers?.includes(finalizer) ?? false);
}
