import type { ApiObject } from '../objects/api-object.ts';
import { JsonPatchError, applyJsonPatch } from '../patch/json-patch.ts';
import { applyMergePatch } from '../patch/merge-patch.ts';
import { StatusError } from '../status/status-error.ts';
import { invalidObject, modified, notFound } from '../status/errors.ts';
import { invalid } from '../status/field-error.ts';
import { keyOf, kindName, resourceName } from './resource.ts';
import { setNamespace } from './create.ts';
import type { Target, WriteOptions } from './target.ts';
import { checkName, updateRecord } from './update.ts';
import { viewOf } from './views.ts';

/** A patch as it was sent. */
export interface Patch {
  /**
   * Reads the body, once there is something to patch: a list of operations, or an object to merge.
   *
   * @throws {StatusError} when it is no patch of this type
   */
  parse(): unknown;
}

/**
 * Changes an object, or its status, by a patch.
 *
 * @param decode makes the patched JSON an object of the resource, as a body would be
 * @throws {StatusError} when the patch does not fit, or the server refuses its result
 */
export function patchObject(
  target: Target,
  patch: Patch,
  decode: (value: unknown) => ApiObject,
  options: WriteOptions,
): ApiObject {
  const { resource, namespace, name } = target;
  const record = resource.table.get(keyOf(resource, namespace, name));
  if (!record) throw notFound(resourceName(resource), name);
  const object = decode(apply(patch, viewOf(resource, record)));
  const { metadata } = object;
  checkName(target, metadata.name);
  setNamespace(target, object);
  const { uid } = record.object.metadata;
  if (metadata.uid !== undefined && metadata.uid !== uid) {
    throw invalidObject(kindName(resource), name, [
      invalid('metadata.uid', metadata.uid, 'field is immutable'),
    ]);
  }
  if (metadata.resourceVersion !== undefined && metadata.resourceVersion !== `${record.revision}`) {
    throw modified(resourceName(resource), name);
  }
  return updateRecord(target, record, object, options);
}

function apply(patch: Patch, object: ApiObject): unknown {
  const body = patch.parse();
  // Only a JSON patch is a list: parse() has made sure.
  if (!Array.isArray(body)) return structuredClone(applyMergePatch(object, body));
  try {
    return applyJsonPatch(object, body);
  } catch (error) {
    if (!(error instanceof JsonPatchError)) throw error;
    throw new StatusError(
      422,
      'Invalid',
      'the server rejected our request due to an error in our request',
      {},
    );
  }
}
