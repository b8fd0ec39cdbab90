import type { ObjectMeta } from 'ots-kubernetes';
import { systemUser } from '../authentication/user-info.ts';
import type { ApiObject } from '../json/api-object.ts';
import type { Machinery } from '../registry/machinery.ts';
import type { Resource } from '../registry/resource.ts';
import { writeFields, writeMetadata } from '../registry/write-fields.ts';
import type { StoredRecord } from '../storage/stored-record.ts';

/** The options of controllers' writes: the field manager of a real cluster's controllers. */
export const controllerWrite = { user: systemUser, dryRun: false, manager: 'kube-controller-manager' };

/** Writes an object as a controller does: like any client, by the rules of its kind. */
export function writeObject(
  machinery: Machinery,
  resource: Resource,
  record: StoredRecord,
  changes: Partial<ApiObject>,
  subresource = '',
): void {
  writeFields(machinery, { resource, subresource }, record, changes, controllerWrite);
}

/** Sets a list in the metadata; removes an empty one. */
export function writeList(
  machinery: Machinery,
  resource: Resource,
  record: StoredRecord,
  field: 'finalizers' | 'ownerReferences',
  list: ObjectMeta[typeof field],
): void {
  const { [field]: _, ...metadata } = record.object.metadata;
  const changed = { ...metadata, ...(list && list.length > 0 && { [field]: list }) };
  writeMetadata(machinery, resource, record, changed, controllerWrite);
}
