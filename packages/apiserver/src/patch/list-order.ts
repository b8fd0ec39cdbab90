import { isObject } from '../json/json-object.ts';
import { printGo } from './go-value.ts';
import { deletesItem, isDirective } from './patch-directives.ts';
import { StrategicMergeError, noMergeKey, unexpectedType } from './strategic-merge-error.ts';

/** Returns the identity of a list item. */
type Identify = (item: unknown) => unknown;

/**
 * How items are identified: scalars by value, maps by a key.
 *
 * @throws {StrategicMergeError} (by the returned function) for an item without the key
 */
export function identities(mergeKey: string | undefined): Identify {
  if (mergeKey === undefined) return (item) => item;
  return (item) => {
    if (!isObject(item)) throw unexpectedType('map', item);
    if (!Object.hasOwn(item, mergeKey)) throw noMergeKey(item, mergeKey);
    return item[mergeKey];
  };
}

/**
 * Orders a merged list. Listed items take the listed order. The others keep their order and precede a listed item
 * only if they did before, so new items come first.
 *
 * @param listed the order in the patch
 * @param before the list before the patch
 * @throws {StrategicMergeError} for an item without the key
 */
export function arrange(
  merged: readonly unknown[],
  listed: readonly unknown[],
  before: readonly unknown[],
  mergeKey: string | undefined,
): readonly unknown[] {
  if (merged.length > 0 && mergeKey !== undefined) checkListed(listed);
  const identify = identities(mergeKey);
  const wanted = placesOf(listed, identify);
  const old = placesOf(before, identify);
  const isListed = (item: unknown) => wanted.has(identify(item));
  const known = sorted(merged.filter(isListed), wanted, identify);
  const rest = sorted(
    merged.filter((item) => !isListed(item)),
    old,
    identify,
  );
  return interleave(rest, known, (item) => old.get(identify(item)));
}

function checkListed(listed: readonly unknown[]): void {
  const invalidIndex = listed.findIndex((item) => !isObject(item));
  if (invalidIndex >= 0) throw new StrategicMergeError(`value for key ${invalidIndex} is not a map`);
}

/** The first index of each item. */
export function placesOf(list: readonly unknown[], identify: Identify): Map<unknown, number> {
  const found = new Map<unknown, number>();
  list.forEach((item, index) => {
    const identity = identify(item);
    if (!found.has(identity)) found.set(identity, index);
  });
  return found;
}

/** The longest list that Go sorts by insertion sort alone. */
const maxInsertionLength = 20;

/** Sorts the items; those with a directive come last. */
function sorted(
  items: readonly unknown[],
  order: ReadonlyMap<unknown, number>,
  identify: Identify,
): unknown[] {
  const stay = items.filter((item) => !deletesItem(item));
  return [...inOrder(stay, order, identify), ...items.filter(deletesItem)];
}

function inOrder(
  items: readonly unknown[],
  order: ReadonlyMap<unknown, number>,
  identify: Identify,
): unknown[] {
  const place = (item: unknown) => order.get(identify(item)) ?? order.size;
  const isUnlisted = (item: unknown) => !order.has(identify(item));
  if (items.length > maxInsertionLength || !items.some(isUnlisted)) {
    return items.toSorted((a, b) => place(a) - place(b));
  }
  // kube-apiserver treats an item that is missing from the order as the smaller one in every comparison.
  // That happens only with an empty `$setElementOrder`.
  const result: unknown[] = [];
  for (const item of items) {
    const before = (other: unknown) => !isUnlisted(other) && place(other) <= place(item);
    result.splice(isUnlisted(item) ? 0 : result.findLastIndex(before) + 1, 0, item);
  }
  return result;
}

function interleave(
  rest: readonly unknown[],
  known: readonly unknown[],
  oldPlace: (item: unknown) => number | undefined,
): unknown[] {
  const result: unknown[] = [];
  let next = 0;
  for (const item of known) {
    const place = oldPlace(item) ?? -1;
    while (next < rest.length && (oldPlace(rest[next]) ?? Infinity) < place) {
      result.push(rest[next]);
      next += 1;
    }
    result.push(item);
  }
  return [...result, ...rest.slice(next)];
}

/**
 * Checks that the items of a patch appear in the same order in `$setElementOrder`, which may list more.
 *
 * @throws {StrategicMergeError} when the order differs, or an item is not a map although there is a merge key
 */
export function checkOrder(
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
