import type { ApiObject } from '../json/api-object.ts';
import { foregroundFinalizer, orphanFinalizer } from '../registry/deletion-finalizers.ts';

/** Whether an object waits, in its deletion, until what it owns is gone. */
export function isDeletingDependents(object: ApiObject): boolean {
  return isDeletedWith(object, foregroundFinalizer);
}

/** Whether an object waits, in its deletion, until nothing names it as owner. */
export function isOrphaningDependents(object: ApiObject): boolean {
  return isDeletedWith(object, orphanFinalizer);
}

function isDeletedWith({ metadata }: ApiObject, finalizer: string): boolean {
  return metadata.deletionTimestamp !== undefined && (metadata.finalizers?.includes(finalizer) ?? false);
}
