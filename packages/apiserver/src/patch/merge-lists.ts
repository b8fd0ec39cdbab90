import { isObject } from '../json/json-object.ts';
import { goKind, printGo } from './go-value.ts';
import { arrange, identities } from './list-order.ts';
import { type KeyedMerge, mergeByKey } from './merge-keyed-lists.ts';
import { deletesItem, isDirective, withoutDirectives } from './patch-directives.ts';
import type { FieldPatching } from './patch-schema.ts';
import { StrategicMergeError, unexpectedType } from './strategic-merge-error.ts';

/**
 * Merges a list of a strategic merge patch: item by item where the schema says so; otherwise the patch replaces
 * the list.
 *
 * @param isDeletion whether the patch lists scalars to delete
 * @throws {StrategicMergeError} when the items do not fit
 */
export function mergeLists(
  current: readonly unknown[],
  change: readonly unknown[],
  patching: FieldPatching,
  isDeletion: boolean,
): readonly unknown[] {
  return merge(current, change, patching, isDeletion).merged;
}

/**
 * Merges a list and orders it by `$setElementOrder`.
 *
 * @param patchingOf looks up the field, once order and lists are known to be lists
 * @returns the new list; undefined when there is none on either side
 * @throws {StrategicMergeError} when the items do not fit
 */
export function setElementOrder(
  current: unknown,
  change: unknown,
  order: readonly unknown[],
  patchingOf: () => FieldPatching,
): readonly unknown[] | undefined {
  for (const list of [current, change]) {
    if (!Array.isArray(list) && list !== undefined) throw unexpectedType('list', list);
  }
  const patching = patchingOf();
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

  function mergeOrdered(): KeyedMerge {
    if (current === undefined) return { merged: asList(withoutDirectives(change)), before };
    return change === undefined ? { merged: before, before } : merge(before, changed, patching, false);
  }
}

function merge(
  current: readonly unknown[],
  change: readonly unknown[],
  patching: FieldPatching,
  isDeletion: boolean,
): KeyedMerge {
  if (patching.strategy !== 'merge' && !isDeletion) return { merged: change, before: current };
  if (current.length === 0 && change.length === 0) return { merged: current, before: current };
  if (itemKind(current, change) === 'map') return mergeByKey(current, change, patching);
  const items = new Set(change);
  if (isDeletion) return { merged: current.filter((item) => !items.has(item)), before: current };
  const merged = [...new Set([...current, ...change])];
  return { merged: arrange(merged, change, current, patching.mergeKey), before: current };
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The common type of all items, which must not be a list. */
function itemKind(...lists: (readonly unknown[])[]): string {
  const [first, ...others] = lists.flat().map(goKind);
  if (first === undefined) throw new StrategicMergeError('no elements in any of the given slices');
  // A real server drops the connection.
  if (first === 'nil') throw new StrategicMergeError('invalid patch format of primitive list', 400);
  if (first === 'slice') throw new StrategicMergeError('lists of lists are not supported', 422);
  if (others.some((kind) => kind !== first)) {
    throw new StrategicMergeError(`list element types are not identical: ${printGo(lists)}`);
  }
  return first;
}

/** Items of the patch must appear in the same order in `$setElementOrder`, which may list more. */
function checkOrder(
  change: readonly unknown[],
  order: readonly unknown[],
  mergeKey: string | undefined,
): void {
  if (change.length === 0 || order.length === 0) return;
  const identify = identities(mergeKey);
  const invalidItem = mergeKey === undefined ? undefined : change.find((item) => !isObject(item));
  if (invalidItem !== undefined) throw unexpectedType('map', invalidItem);
  const stay = change.filter((item) => !deletesItem(item));
  let next = 0;
  let place = 0;
  while (next < stay.length && place < order.length) {
    if (isDirective(stay[next])) {
      next += 1;
    } else {
      if (identify(stay[next]) === identify(order[place])) next += 1;
      place += 1;
    }
  }
  if (next < stay.length) {
    throw new StrategicMergeError(
      `The order in patch list:\n${printGo(change)}\n doesn't match $setElementOrder list:\n${printGo(order)}\n`,
    );
  }
}
