import type { ApiObject } from '../json/api-object.ts';
import { invalidObject, notFound } from '../status/errors.ts';
import { invalid } from '../status/field-error.ts';
import type { StoredRecord } from '../storage/stored-record.ts';
import { keyOf, kindName, resourceName } from './resource.ts';
import { setNamespace } from './create.ts';
import { keepUniqueOwners } from './keep-unique-owners.ts';
import type { Machinery } from './machinery.ts';
import { checkVersion } from './sent-version.ts';
import type { Target, WriteOptions } from './target.ts';
import { trackManagers } from './track-managers.ts';
import { checkName, updateRecord } from './update.ts';
import { viewOf } from './views.ts';

/**
 * Patches an object, or its status.
 *
 * @param apply returns the new object and does not change the old one. It is not called when the object does not
 *   exist.
 * @throws {StatusError} when the patch does not fit, or the server refuses its result
 */
export function patchObject(
  machinery: Machinery,
  target: Target,
  apply: (object: ApiObject) => ApiObject,
  options: WriteOptions,
): ApiObject {
  const { resource, namespace, name } = target;
  const record = resource.table.get(keyOf(resource, namespace, name));
  if (!record) throw notFound(resourceName(resource), name);
  const live = viewOf(resource, record);
  const object = apply(live);
  trackManagers(machinery, target, { live, object }, options);
  keepUniqueOwners(object, options.warnings, true);
  return storePatched(machinery, target, record, object, options);
}

/**
 * Stores the result of a patch.
 *
 * @throws {StatusError} when it is about another object, or the server refuses it
 */
export function storePatched(
  machinery: Machinery,
  target: Target,
  record: StoredRecord,
  object: ApiObject,
  options: WriteOptions,
): ApiObject {
  const { resource, name } = target;
  const { metadata } = object;
  setNamespace(target, object);
  checkName(target, metadata.name);
  const { uid } = record.object.metadata;
  if (metadata.uid !== undefined && metadata.uid !== uid) {
    throw invalidObject(kindName(resource), name, [
      invalid('metadata.uid', metadata.uid, 'field is immutable'),
    ]);
  }
  checkVersion(target, object, record);
  return updateRecord(machinery, target, record, object, options);
}
