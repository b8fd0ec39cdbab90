import { type JsonObject, isObject } from '../json/json-object.ts';
import { StrategicMergeError, unknownDirective } from './strategic-merge-error.ts';
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

/**
 * The result of a map with `$patch`, which does not merge: it replaces or empties the other map.
 *
 * @throws {StrategicMergeError} when the directive is unknown
 */
export function replaceMap(patch: JsonObject): JsonObject {
  const { [patchDirective]: directive, ...fields } = patch;
  if (directive === 'replace') return fields;
  if (directive === 'delete') return {};
  throw unknownDirective(directive, patch);
}

/**
 * Removes the fields that `$retainKeys` does not list. It must list the fields that the patch sets.
 *
 * @throws {StrategicMergeError} 400
 */
export function retainKeys(result: JsonObject, patch: JsonObject): void {
  if (!Object.hasOwn(patch, retainKeysDirective)) return;
  const listed = patch[retainKeysDirective];
  const retained = new Set<unknown>(Array.isArray(listed) ? listed : []);
  const isComplete = Object.entries(patch).every(
    ([key, value]) =>
      key === retainKeysDirective || value === null || isDeletion(key) || isOrder(key) || retained.has(key),
  );
  if (!Array.isArray(listed) || !isComplete) {
    throw new StrategicMergeError('invalid patch format of retainKeys', 400);
  }
  for (const key of Object.keys(result)) if (!retained.has(key)) delete result[key];
}

/**
 * Reads the list items that contain a directive.
 *
 * @param identify returns the identity of an item
 * @returns the identities of the items to delete, and whether the patch replaces the list
 * @throws {StrategicMergeError} when a directive is unknown or not supported in lists
 */
export function readItemDirectives(
  directives: readonly Record<string, unknown>[],
  identify: (item: unknown) => unknown,
): { deleted: ReadonlySet<unknown>; replaces: boolean } {
  const deleted = new Set<unknown>();
  let replaces = false;
  for (const item of directives) {
    const directive = item[patchDirective];
    if (directive === 'delete') deleted.add(identify(item));
    else if (directive === 'replace') replaces = true;
    else if (directive === 'merge') {
      throw new StrategicMergeError('merging lists cannot yet be specified in the patch');
    } else {
      throw unknownDirective(directive, item);
    }
  }
  return { deleted, replaces };
}
