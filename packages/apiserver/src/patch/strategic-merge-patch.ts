import type { ObjectSchema } from 'ots-kubernetes/object-schema';
import { type JsonObject, getKey, isObject, setKey } from '../json/json-object.ts';
import { goKind } from './go-value.ts';
import { mergeLists, setElementOrder } from './merge-lists.ts';
import {
  deletedFrom,
  isDeletion,
  isOrder,
  orderedField,
  patchDirective,
  retainKeysDirective,
  withoutDirectives,
} from './patch-directives.ts';
import { patchingOf } from './patch-schema.ts';
import { StrategicMergeError, unexpectedType, unknownDirective } from './strategic-merge-error.ts';
import { withoutNulls } from './without-nulls.ts';

/**
 * Applies a strategic merge patch: a merge patch that also merges lists by the key in the schema, and that can
 * contain directives (`$patch`, `$retainKeys`, `$setElementOrder/…`, `$deleteFromPrimitiveList/…`). Changes
 * neither argument. The result shares unchanged parts with them and may contain nulls and unknown fields: decode
 * it like a body.
 *
 * @param object the object to patch
 * @param patch the change
 * @param schema the schema of the object
 * @throws {StrategicMergeError} when the patch does not fit
 */
export function applyStrategicMergePatch(
  object: JsonObject,
  patch: JsonObject,
  schema: ObjectSchema,
): JsonObject {
  if (Object.hasOwn(patch, patchDirective)) return replaced(patch);
  const result = { ...object };
  retainKeys(result, patch);
  const ordered = applyOrders(result, patch, schema);
  for (const [key, change] of Object.entries(patch)) {
    if (key === retainKeysDirective || isOrder(key) || ordered.has(key)) continue;
    const field = isDeletion(key) ? deletedFrom(key) : key;
    if (change === null) delete result[field];
    else if (goKind(getKey(result, field)) === goKind(change))
      mergeField(result, field, { key, change, schema });
    else if (field === key) setOrRemove(result, key, withoutDirectives(withoutNulls(change)));
  }
  return result;
}

/** A map with `$patch` does not merge: it replaces or empties the other. */
function replaced(patch: JsonObject): JsonObject {
  const { [patchDirective]: directive, ...fields } = patch;
  if (directive === 'replace') return fields;
  if (directive === 'delete') return {};
  throw unknownDirective(directive, patch);
}

/** Removes the fields that `$retainKeys` does not list. It must list the fields that the patch sets. */
function retainKeys(result: JsonObject, patch: JsonObject): void {
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

/** Applies each `$setElementOrder/…` with its list. Returns the fields of the patch that this used. */
function applyOrders(result: JsonObject, patch: JsonObject, schema: ObjectSchema): ReadonlySet<string> {
  const ordered = new Set<string>();
  for (const [key, order] of Object.entries(patch)) {
    if (!isOrder(key)) continue;
    if (!Array.isArray(order)) throw unexpectedType('list', order);
    const field = orderedField(key);
    const merged = setElementOrder(getKey(result, field), getKey(patch, field), order, () =>
      patchingOf(schema, field, true),
    );
    if (merged === undefined) continue;
    setKey(result, field, merged);
    ordered.add(field);
  }
  return ordered;
}

/** Merges a field that has the same type in the object and in the patch. */
function mergeField(
  result: JsonObject,
  field: string,
  { key, change, schema }: { key: string; change: unknown; schema: ObjectSchema },
): void {
  const current = result[field];
  if (Array.isArray(current) && Array.isArray(change)) {
    const patching = patchingOf(schema, field, true);
    setKey(result, field, mergeLists(current, change, patching, isDeletion(key)));
  } else if (isObject(current) && isObject(change)) {
    const { schema: inner, strategy } = patchingOf(schema, field, false);
    setKey(result, field, strategy === 'replace' ? change : applyStrategicMergePatch(current, change, inner));
  } else {
    setKey(result, field, change);
  }
}

function setOrRemove(object: JsonObject, key: string, value: unknown): void {
  if (value === undefined) delete object[key];
  else setKey(object, key, value);
}
