import type { ApiObject } from '../json/api-object.ts';
import { invalidObject, notFound } from '../status/errors.ts';
import { retryChanged } from './admission.ts';
import { after } from './after.ts';
import { invalid } from '../status/field-error.ts';
import type { StoredRecord } from '../storage/stored-record.ts';
import { keyOf, kindName, resourceName } from './resource.ts';
import { setNamespace } from './create.ts';
import type { Machinery } from './machinery.ts';
import { checkVersion } from './sent-version.ts';
import type { Target, WriteOptions } from './target.ts';
import { trackConverted } from './track-managers.ts';
import { admitUpdate, checkName } from './update.ts';
import { prepareUpdate, viewOf } from './views.ts';

/**
 * Patches an object, or its status.
 *
 * @param apply returns the new object and does not change the old one. It is not called when the object does not
 *   exist.
 * @returns the new state, in a promise only where a webhook has to be asked
 * @throws {StatusError} when the patch does not fit, or the server refuses its result
 */
export function patchObject(
  machinery: Machinery,
  target: Target,
  apply: (object: ApiObject) => ApiObject,
  options: WriteOptions,
): ApiObject | Promise<ApiObject> {
  return retryChanged(() => patchOnce(machinery, target, apply, options));
}

function patchOnce(
  machinery: Machinery,
  target: Target,
  apply: (object: ApiObject) => ApiObject,
  options: WriteOptions,
): ApiObject | Promise<ApiObject> {
  const { resource, namespace, name } = target;
  const record = resource.table.get(keyOf(resource, namespace, name));
  if (!record) throw notFound(resourceName(resource), name);
  return after(prepareUpdate(resource, record), () => {
    const live = viewOf(resource, record);
    const object = apply(live);
    return after(trackConverted(machinery, target, { live, object }, options), () =>
      storePatched(machinery, target, { record, object }, options),
    );
  });
}

/**
 * Stores the result of a patch.
 *
 * @throws {StatusError} when it is about another object, or the server refuses it
 */
export function storePatched(
  machinery: Machinery,
  target: Target,
  change: { record: StoredRecord; object: ApiObject },
  options: WriteOptions,
): ApiObject | Promise<ApiObject> {
  setNamespace(target, change.object);
  checkName(target, change.object.metadata.name);
  return admitUpdate(machinery, target, change, options, (object) =>
    checkPatched(target, change.record, object),
  );
}

/** A patch must not turn an object into another one. The metadata of a patch of the status of a custom resource does not count. */
function checkPatched(target: Target, record: StoredRecord, object: ApiObject): void {
  const { resource, name, subresource } = target;
  const { metadata } = object;
  const { uid } = record.object.metadata;
  const isIgnored = resource.custom && subresource === 'status';
  if (metadata.uid !== undefined && metadata.uid !== uid && !isIgnored) {
    throw invalidObject(kindName(resource), name, [
      invalid('metadata.uid', metadata.uid, 'field is immutable'),
    ]);
  }
  checkVersion(target, object, record);
}
