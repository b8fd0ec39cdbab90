import type { ObjectSchema } from 'ots-kubernetes/object-schema';
import { type JsonObject, getKey, isObject, setKey } from '../json/json-object.ts';
import { goKind } from './go-value.ts';
import { itemKind } from './item-kind.ts';
import { arrange, checkOrder, identities, placesOf } from './list-order.ts';
import {
  deletedFrom,
  isDeletion,
  isDirective,
  isOrder,
  orderedField,
  patchDirective,
  readItemDirectives,
  replaceMap,
  retainKeys,
  retainKeysDirective,
  withoutDirectives,
} from './patch-directives.ts';
import { type FieldPatching, patchingOf } from './patch-schema.ts';
import { StrategicMergeError, unexpectedType } from './strategic-merge-error.ts';
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
  if (Object.hasOwn(patch, patchDirective)) return replaceMap(patch);
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

function setOrRemove(object: JsonObject, key: string, value: unknown): void {
  if (value === undefined) delete object[key];
  else setKey(object, key, value);
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
    setKey(result, field, mergeLists(current, change, patching, isDeletion(key)).merged);
  } else if (isObject(current) && isObject(change)) {
    const { schema: inner, strategy } = patchingOf(schema, field, false);
    setKey(result, field, strategy === 'replace' ? change : applyStrategicMergePatch(current, change, inner));
  } else {
    setKey(result, field, change);
  }
}

/** The result of merging a list. */
interface ListMerge {
  merged: readonly unknown[];
  /** The original order as kube-apiserver sees it at this point. */
  before: readonly unknown[];
}

/**
 * Merges a list item by item where the schema says so; otherwise the patch replaces the list.
 *
 * @param deletesScalars whether the patch lists scalars to delete
 * @throws {StrategicMergeError} when the items do not fit
 */
function mergeLists(
  current: readonly unknown[],
  change: readonly unknown[],
  patching: FieldPatching,
  deletesScalars: boolean,
): ListMerge {
  if (patching.strategy !== 'merge' && !deletesScalars) return { merged: change, before: current };
  if (current.length === 0 && change.length === 0) return { merged: current, before: current };
  if (itemKind(current, change) === 'map') return mergeByKey(current, change, patching);
  const items = new Set(change);
  if (deletesScalars) return { merged: current.filter((item) => !items.has(item)), before: current };
  const merged = [...new Set([...current, ...change])];
  return { merged: arrange(merged, change, current, patching.mergeKey), before: current };
}

/**
 * Merges a list and orders it by `$setElementOrder`.
 *
 * @param lookUp returns how to patch the field; called once order and lists are known to be lists
 * @returns the new list; undefined when there is none on either side
 * @throws {StrategicMergeError} when the items do not fit
 */
function setElementOrder(
  current: unknown,
  change: unknown,
  order: readonly unknown[],
  lookUp: () => FieldPatching,
): readonly unknown[] | undefined {
  for (const list of [current, change]) {
    if (!Array.isArray(list) && list !== undefined) throw unexpectedType('list', list);
  }
  const patching = lookUp();
  const before = asList(current);
  const changed = asList(change);
  if (patching.mergeKey === undefined && [...order, ...before, ...changed].some(isObject)) {
    // A real server drops the connection.
    throw new StrategicMergeError('invalid patch format of setElementOrder list', 400);
  }
  checkOrder(changed, order, patching.mergeKey);
  if (current === undefined && change === undefined) return undefined;
  const result = mergeOrdered();
  const arranged = arrange(result.merged, order, result.before, patching.mergeKey);
  itemKind(before, changed);
  return arranged;

  function mergeOrdered(): ListMerge {
    if (current === undefined) return { merged: asList(withoutDirectives(change)), before };
    return change === undefined ? { merged: before, before } : mergeLists(before, changed, patching, false);
  }
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/**
 * Merges lists of maps, identified by a merge key.
 *
 * @throws {StrategicMergeError} when an item lacks the key, or a directive is unknown
 */
function mergeByKey(
  current: readonly unknown[],
  change: readonly unknown[],
  { mergeKey, schema }: FieldPatching,
): ListMerge {
  if (mergeKey === undefined) {
    throw new StrategicMergeError('cannot merge lists without merge key for struct');
  }
  const identify = identities(mergeKey);
  const { deleted, replaces } = readItemDirectives(change.filter(isDirective), identify);
  const items = change.filter((item) => !isDirective(item));
  if (replaces) return { merged: arrange(items, [], items, mergeKey), before: current };
  const kept = current.filter((item) => !isObject(item) || !deleted.has(item[mergeKey]));
  const merged = [...kept];
  const places = placesOf(kept, identify);
  for (const item of items) {
    const place = places.get(identify(item));
    const old = place === undefined ? undefined : merged[place];
    if (place !== undefined && isObject(item) && isObject(old)) {
      merged[place] = applyStrategicMergePatch(old, item, schema);
    } else {
      // A new item is added as it is, including its nulls and directives.
      places.set(identify(item), merged.length);
      merged.push(item);
    }
  }
  return {
    merged: arrange(merged, items, kept, mergeKey),
    // kube-apiserver writes new items into the old list's array as far as deletions made room in it.
    before: merged.slice(0, current.length),
  };
}
