import { systemUser } from '../authentication/user-info.ts';
import type { ApiObject } from '../json/api-object.ts';
import type { Machinery } from '../registry/machinery.ts';
import type { Resource } from '../registry/resource.ts';
import { writeFields } from '../registry/write-fields.ts';
import type { StoredRecord } from '../storage/stored-record.ts';
import { controllerWrite } from './controller-user.ts';

/** The options of writes that admission does not see. */
export const ownWrite = controllerWrite(systemUser);

/** Writes an object by the rules of its kind, without admission. */
export function writeObject(
  machinery: Machinery,
  resource: Resource,
  record: StoredRecord,
  changes: Partial<ApiObject>,
  subresource = '',
): void {
  writeFields(machinery, { resource, subresource }, record, changes, ownWrite);
}
