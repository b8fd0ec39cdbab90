import { appendAll } from '../json/append-all.ts';
import type { ExactInteger } from '../json/exact-integer.ts';
import { isNumber } from '../json/json-number.ts';
import { type JsonObject, getKey, isObject } from '../json/json-object.ts';

/** Maps values to values; undefined where the path does not apply. */
export type PathStep = (values: readonly unknown[]) => unknown[] | undefined;

/** How many values a path may find on its way, which bounds the work for a client's request. */
const maxValues = 100_000;

/** Applies steps one after the other. */
export function follow(steps: readonly PathStep[], value: unknown): unknown[] | undefined {
  let values: unknown[] | undefined = [value];
  for (const step of steps) {
    values = step(values);
    if (!values || values.length > maxValues) return undefined;
  }
  return values;
}

export function fieldStep(name: string): PathStep {
  return (values) =>
    values.flatMap((value) => (isObject(value) && Object.hasOwn(value, name) ? [getKey(value, name)] : []));
}

export const wildcardStep: PathStep = (values) => values.flatMap(children);

/** Every nested object and list, parents first. */
export const recursiveStep: PathStep = (values) => {
  const found: unknown[] = [];
  for (const open = values.toReversed(); open.length > 0;) {
    if (found.length > maxValues) return undefined;
    const value = open.pop();
    const inner = children(value);
    if (inner.length > 0) found.push(value);
    for (const child of inner.toReversed()) open.push(child);
  }
  return found;
};

/** A value that is the same for every input. */
export function constantStep(value: unknown): PathStep {
  return (values) => values.map(() => value);
}

/** `[start:end:step]`; the end of `[3]` is implicit. */
export interface Slice {
  start: number | undefined;
  end: number | undefined;
  isEndDerived: boolean;
  step: number | undefined;
}

export function sliceStep(slice: Slice): PathStep {
  return (values) => {
    const found: unknown[] = [];
    for (const value of values) {
      if (value === null || value === undefined) continue;
      const picked = Array.isArray(value) ? pick(value, slice) : undefined;
      if (!picked) return undefined;
      appendAll(found, picked);
    }
    return found;
  };
}

export function unionStep(branches: readonly (readonly PathStep[])[]): PathStep {
  return (values) => {
    const found: unknown[] = [];
    for (const branch of branches) {
      let inner: unknown[] | undefined = [...values];
      for (const step of branch) inner = inner && step(inner);
      if (!inner) return undefined;
      appendAll(found, inner);
    }
    return found;
  };
}

/** Keeps the list items for which a path finds something. */
export function existsStep(steps: readonly PathStep[]): PathStep {
  return filterStep((item) => (follow(steps, item)?.length ?? 0) > 0);
}

/** Keeps the list items for which a comparison holds; fails when it cannot be made. */
export function compareStep(
  left: readonly PathStep[],
  operator: string,
  right: readonly PathStep[],
): PathStep {
  return filterStep((item) => {
    const lefts = follow(left, item);
    if (!lefts || lefts.length > 1) return undefined;
    if (lefts.length === 0) return false;
    const rights = follow(right, item);
    if (!rights || rights.length > 1) return undefined;
    return rights.length === 1 && compare(lefts[0], operator, rights[0]);
  });
}

function filterStep(passes: (item: unknown) => boolean | undefined): PathStep {
  return (values) => {
    const found: unknown[] = [];
    for (const value of values) {
      if (!Array.isArray(value)) return undefined;
      for (const item of value) {
        const passed = passes(item);
        if (passed === undefined) return undefined;
        if (passed) found.push(item);
      }
    }
    return found;
  };
}

function compare(left: unknown, operator: string, right: unknown): boolean | undefined {
  if (typeof left !== typeof right && !(isNumber(left) && isNumber(right))) return undefined;
  if (typeof left === 'boolean' && operator !== '==' && operator !== '!=') return undefined;
  if (!isComparable(left) || !isComparable(right)) return undefined;
  if (operator === '==') return left === right;
  if (operator === '!=') return left !== right;
  if (operator === '<') return left < right;
  if (operator === '<=') return left <= right;
  if (operator === '>') return left > right;
  if (operator === '>=') return left >= right;
  return undefined;
}

function isComparable(value: unknown): value is string | ExactInteger | boolean {
  return (
    typeof value === 'string' ||
    typeof value === 'number' ||
    typeof value === 'bigint' ||
    typeof value === 'boolean'
  );
}

function pick(
  list: readonly unknown[],
  { start = 0, end, isEndDerived, step = 1 }: Slice,
): unknown[] | undefined {
  const { length } = list;
  const from = start < 0 ? start + length : start;
  let to = end ?? length;
  if (to < 0 || (to === 0 && isEndDerived)) to += length;
  if (from === to) return [];
  if (from < 0 || from >= length || to < 0 || to > length || from > to || step <= 0) return undefined;
  return list.slice(from, to).filter((_, index) => index % step === 0);
}

function children(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  return isObject(value) ? Object.values<unknown>(value satisfies JsonObject) : [];
}
