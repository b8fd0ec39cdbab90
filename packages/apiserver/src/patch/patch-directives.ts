import { type JsonObject, isObject } from '../json/json-object.ts';
import { StrategicMergeError } from './strategic-merge-error.ts';
import { rebuildJson } from '../json/rebuild-json.ts';
import { fieldsOf } from './without-nulls.ts';

/** What happens to the map or list item that contains it: `delete`, `replace` or `merge`. */
export const patchDirective = '$patch';
/** Lists the fields of a map to keep. */
export const retainKeysDirective = '$retainKeys';

const orderPrefix = '$setElementOrder';
const deletionPrefix = '$deleteFromPrimitiveList';

/** Whether a key of a patch gives the order of a list. */
export function isOrder(key: string): boolean {
  return key.startsWith(orderPrefix);
}

/** Whether a key of a patch lists scalars to delete. */
export function isDeletion(key: string): boolean {
  return key.startsWith(deletionPrefix);
}

/**
 * The list that an order applies to.
 *
 * @throws {StrategicMergeError} 400
 */
export function orderedField(key: string): string {
  return fieldOf(key, orderPrefix, 'invalid patch format of setElementOrder list');
}

/**
 * The list that a deletion applies to.
 *
 * @throws {StrategicMergeError} 400
 */
export function deletedFrom(key: string): string {
  return fieldOf(key, deletionPrefix, 'invalid patch format of primitive list');
}

function fieldOf(key: string, prefix: string, message: string): string {
  if (!key.startsWith(`${prefix}/`)) throw new StrategicMergeError(message, 400);
  return key.slice(prefix.length + 1);
}

/** Whether a value of a patch is a map with a directive about itself. */
export function isDirective(value: unknown): value is JsonObject {
  return isObject(value) && Object.hasOwn(value, patchDirective);
}

/** Whether a list item asks for its deletion. */
export function deletesItem(item: unknown): boolean {
  return isDirective(item) && item[patchDirective] === 'delete';
}

/** A value without directive maps; undefined if it is one itself. */
export function withoutDirectives(value: unknown): unknown {
  if (isDirective(value)) return undefined;
  return rebuildJson(value, (old) => {
    if (Array.isArray(old)) return old.filter((item) => !isDirective(item));
    return isObject(old) ? fieldsOf(old, (field) => !isDirective(field)) : old;
  });
}
