import { type JsonObject, isObject } from '../json/json-object.ts';
import { StrategicMergeError } from './strategic-merge-error.ts';
import { rebuildJson } from '../json/rebuild-json.ts';
import { fieldsOf } from './without-nulls.ts';

/** Says what becomes of the whole map, or list item, that it stands in: `delete`, `replace` or `merge`. */
export const patchDirective = '$patch';
/** Lists the fields of a map that stay. */
export const retainKeysDirective = '$retainKeys';

const orderPrefix = '$setElementOrder';
const deletionPrefix = '$deleteFromPrimitiveList';

/** Tells whether a key of a patch gives the order of a list. */
export function isOrder(key: string): boolean {
  return key.startsWith(orderPrefix);
}

/** Tells whether a key of a patch lists what is to be deleted from a list of scalars. */
export function isDeletion(key: string): boolean {
  return key.startsWith(deletionPrefix);
}

/**
 * The list that an order is about.
 *
 * @throws {StrategicMergeError} 400
 */
export function orderedField(key: string): string {
  return fieldOf(key, orderPrefix, 'invalid patch format of setElementOrder list');
}

/**
 * The list that a deletion is about.
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

/** Tells whether a value of a patch is a map with a directive about itself. */
export function isDirective(value: unknown): value is JsonObject {
  return isObject(value) && Object.hasOwn(value, patchDirective);
}

/** Tells whether an item of a list asks for the deletion of its like. */
export function deletesItem(item: unknown): boolean {
  return isDirective(item) && item[patchDirective] === 'delete';
}

/** A value without the maps that are directives; undefined where it is one. */
export function withoutDirectives(value: unknown): unknown {
  if (isDirective(value)) return undefined;
  return rebuildJson(value, (old) => {
    if (Array.isArray(old)) return old.filter((item) => !isDirective(item));
    return isObject(old) ? fieldsOf(old, (field) => !isDirective(field)) : old;
  });
}
