import { isObject } from '../json/json-object.ts';
import { deletesItem } from './patch-directives.ts';
import { StrategicMergeError, noMergeKey, unexpectedType } from './strategic-merge-error.ts';

/** Tells what an item of a list is told apart by. */
type Identify = (item: unknown) => unknown;

/**
 * How items are told apart: scalars by themselves, maps by a key.
 *
 * @throws {StrategicMergeError} (the result) for an item without the key
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
 * Orders a list that was merged. What is listed stands as it is listed; the rest stands as it stood, and in front of what is
 * listed only where it stood in front of it before: so what is new comes first.
 *
 * @param listed the order that the patch asks for
 * @param before the list as it was
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
  const wanted = places(listed, identify);
  const old = places(before, identify);
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
  const stray = listed.findIndex((item) => !isObject(item));
  if (stray >= 0) throw new StrategicMergeError(`value for key ${stray} is not a map`);
}

/** Where each item stands first. */
function places(list: readonly unknown[], identify: Identify): ReadonlyMap<unknown, number> {
  const found = new Map<unknown, number>();
  list.forEach((item, index) => {
    const identity = identify(item);
    if (!found.has(identity)) found.set(identity, index);
  });
  return found;
}

/** The longest list that Go sorts by insertion alone. */
const maxInsertionLength = 20;

/** In order; an item that was added with a directive in it stands last. */
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
  const isStray = (item: unknown) => !order.has(identify(item));
  if (items.length > maxInsertionLength || !items.some(isStray)) {
    return items.toSorted((a, b) => place(a) - place(b));
  }
  // The real one takes an item that its order does not know for the smaller one in every comparison. It gets there by an
  // empty `$setElementOrder` only.
  const result: unknown[] = [];
  for (const item of items) {
    const before = (other: unknown) => !isStray(other) && place(other) <= place(item);
    result.splice(isStray(item) ? 0 : result.findLastIndex(before) + 1, 0, item);
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
