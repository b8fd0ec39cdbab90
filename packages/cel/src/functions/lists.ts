import type { CelResult, CelValue } from '../values/cel-value.ts';
import { compare } from '../values/compare.ts';
import { equalsNonNull } from '../values/equals.ts';
import { CelEvaluationError, isError, noSuchOverload } from '../values/evaluation-error.ts';
import { ArrayList, CelList } from '../values/list.ts';
import { Optional } from '../values/optional.ts';
import { typeNameOf } from '../values/type-of.ts';
import { comparesItems, listBaseCost, makesList, sizeOf, traversesFirst } from './costs.ts';
import { findOverload, overload } from './overload.ts';
import type { CallCost, FunctionTable } from './overload.ts';
import { operators } from './operators.ts';

const flattenCost: CallCost = ([list, depth]) => 1 + listBaseCost + sizeOf(list!) * Number(depth ?? 1n);

/** A larger range would exceed the API server's budget. */
const maxRange = 10_000_000n;

/** The functions on lists: those of Kubernetes, and version 3 of the list extension. */
export const lists: FunctionTable = {
  isSorted: [overload(['list'], isSorted, traversesFirst)],
  sum: [overload(['list'], sum, traversesFirst)],
  min: [overload(['list'], (list) => extreme(list, 'min', -1), traversesFirst)],
  max: [overload(['list'], (list) => extreme(list, 'max', 1), traversesFirst)],
  indexOf: [overload(['list', 'any'], indexOf, traversesFirst)],
  lastIndexOf: [overload(['list', 'any'], lastIndexOf, traversesFirst)],
  first: [overload(['list'], (list) => itemOrNone(list, 0))],
  last: [overload(['list'], (list) => itemOrNone(list, list.size - 1))],
  slice: [overload(['list', 'int', 'int'], slice, makesList)],
  flatten: [
    overload(['list'], (list) => flatten(list, 1n), flattenCost),
    overload(['list', 'int'], flatten, flattenCost),
  ],
  sort: [
    overload(
      ['list'],
      (list) => sortBy(list, list),
      ([list]) => comparesItems(list as CelList),
    ),
  ],
  '@sortByAssociatedKeys': [overload(['list', 'list'], sortBy, ([, keys]) => comparesItems(keys as CelList))],
  'lists.range': [overload(['int'], range, makesList)],
  reverse: [overload(['list'], (list) => new ArrayList([...list].toReversed()), makesList)],
  distinct: [overload(['list'], distinct, ([list]) => comparesItems(list as CelList))],
};

function isSorted(list: CelList): CelResult {
  let previous: CelValue | undefined;
  for (const item of list) {
    if (isError(item)) return item;
    if (previous !== undefined && compare(previous, item) === 1) return false;
    previous = item;
  }
  return true;
}

function sum(list: CelList): CelResult {
  let total: CelValue | undefined;
  for (const item of list) {
    if (isError(item)) return item;
    if (total === undefined) {
      total = item;
      continue;
    }
    const add = findOverload(operators['_+_']!, [total, item]);
    const next: CelResult = add ? add.run(total as never, item as never) : noSuchOverload();
    if (isError(next)) return next;
    total = next;
  }
  return total ?? list.zero;
}

function extreme(list: CelList, name: string, wanted: -1 | 1): CelResult {
  let best: CelValue | undefined;
  for (const item of list) {
    if (isError(item)) return item;
    if (best === undefined || compare(item, best) === wanted) best = item;
  }
  return best ?? (list.size > 0 ? null : new CelEvaluationError(`${name} called on empty list`));
}

function indexOf(list: CelList, value: CelValue): CelResult {
  for (let i = 0; i < list.size; i++) if (equalsNonNull(list.at(i), value) === true) return BigInt(i);
  return -1n;
}

function lastIndexOf(list: CelList, value: CelValue): CelResult {
  for (let i = list.size - 1; i >= 0; i--) if (equalsNonNull(list.at(i), value) === true) return BigInt(i);
  return -1n;
}

function itemOrNone(list: CelList, index: number): CelResult {
  if (list.size === 0) return Optional.none;
  const item = list.at(index);
  return isError(item) ? item : Optional.of(item);
}

function slice(list: CelList, start: bigint, end: bigint): CelResult {
  const refuse = (reason: string) => new CelEvaluationError(`cannot slice(${start}, ${end}), ${reason}`);
  if (start < 0n || end < 0n) return refuse('negative indexes not supported');
  if (start > end) return refuse('start index must be less than or equal to end index');
  if (end > BigInt(list.size)) return refuse(`list is length ${list.size}`);
  const first = Number(start);
  return new ArrayList(Array.from({ length: Number(end) - first }, (_, i) => list.at(first + i)));
}

function flatten(list: CelList, depth: bigint): CelResult {
  if (depth < 0n) return new CelEvaluationError('level must be non-negative');
  const items: CelResult[] = [];
  const add = (nested: CelList, levels: bigint) => {
    for (const item of nested) {
      if (levels > 0n && item instanceof CelList) add(item, levels - 1n);
      else items.push(item);
    }
  };
  add(list, depth);
  return new ArrayList(items);
}

function sortBy(list: CelList, keys: CelList): CelResult {
  if (list.size !== keys.size) return noSuchOverload();
  const pairs: { key: CelValue; item: CelResult }[] = [];
  for (let i = 0; i < list.size; i++) {
    const key = keys.at(i);
    if (isError(key)) return key;
    pairs.push({ key, item: list.at(i) });
  }
  const first = pairs[0];
  if (!first) return list;
  if (compare(first.key, first.key) === undefined && typeof first.key !== 'number')
    return new CelEvaluationError('list elements must be comparable');
  const type = typeNameOf(first.key);
  if (!pairs.every(({ key }) => typeNameOf(key) === type))
    return new CelEvaluationError('list elements must have the same type');
  return new ArrayList(pairs.toSorted((a, b) => compare(a.key, b.key) ?? 0).map(({ item }) => item));
}

function range(count: bigint): CelResult {
  if (count > maxRange) return new CelEvaluationError('operation cancelled: actual cost limit exceeded');
  return new ArrayList(Array.from({ length: Math.max(Number(count), 0) }, (_, i) => BigInt(i)));
}

function distinct(list: CelList): CelResult {
  const items: CelResult[] = [];
  for (const item of list) {
    if (!items.some((other) => equalsNonNull(item, other) === true)) items.push(item);
  }
  return new ArrayList(items);
}
