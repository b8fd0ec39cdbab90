import type { CelResult } from '../values/cel-value.ts';
import { Cidr } from '../values/cidr.ts';
import { codePointLength } from '../values/code-points.ts';
import { Ip } from '../values/ip.ts';
import { CelList } from '../values/list.ts';
import { CelMap, entriesOf } from '../values/map.ts';
import { Optional } from '../values/optional.ts';
import type { CallCost } from './overload.ts';

/** The cost of reading a character. */
const costPerCharacter = 0.1;
/** The cost of a regular expression's character per ten characters of the text. */
const costPerPatternCharacter = 0.25;
/** The cost of creating a list. */
export const listBaseCost = 10;

/** The size of a value for cost computations. */
export function sizeOf(value: CelResult): number {
  if (typeof value === 'string') return codePointLength(value);
  if (value instanceof Uint8Array) return value.length;
  if (value instanceof CelList || value instanceof CelMap || value instanceof Ip || value instanceof Cidr)
    return value.size;
  return value instanceof Optional && value.hasValue ? sizeOf(value.value) : 1;
}

/** The cost of reading this many characters. */
export function readingCost(size: number, times = 1): number {
  return Math.ceil(size * times * costPerCharacter);
}

/** The cost of a function that reads its first argument. */
export const readsFirst: CallCost = ([first]) => readingCost(sizeOf(first!));

/** The cost of a function that reads its first argument and creates as much. */
export const rewritesFirst: CallCost = ([first]) => readingCost(sizeOf(first!), 2);

/** The cost of a function that compares its arguments character by character. */
export const readsShorter: CallCost = ([a, b]) => readingCost(Math.min(sizeOf(a!), sizeOf(b!)));

/** The cost of matching a text of the given size against a pattern of the given length. */
export function matchingCost(size: number, patternLength: number): number {
  return Math.ceil((1 + size) * costPerCharacter) * Math.ceil(patternLength * costPerPatternCharacter);
}

/** The cost of a regular expression: its length times that of the text. */
export const matchesPatternCost: CallCost = ([text, pattern]) =>
  matchingCost(sizeOf(text!), sizeOf(pattern!));

/** The cost of traversing everything in the first argument. */
export const traversesFirst: CallCost = ([first]) => traversalCost(first!);

function traversalCost(value: CelResult): number {
  if (typeof value === 'string') return Math.trunc(Buffer.byteLength(value) * costPerCharacter);
  if (value instanceof Uint8Array) return Math.trunc(value.length * costPerCharacter);
  let cost = 0;
  if (value instanceof CelList) for (const item of value) cost += traversalCost(item);
  else if (value instanceof CelMap)
    for (const [key, item] of entriesOf(value)) cost += traversalCost(key) + traversalCost(item);
  else return 1;
  return cost;
}

/** The cost of a function that returns a list as long as its value. */
export const makesList: CallCost = (_, result) => 1 + listBaseCost + sizeOf(result);

/** The cost of a function that compares the items of a list with each other. */
export function comparesItems(list: CelList): number {
  const { size } = list;
  const first = size > 0 ? list.at(0) : undefined;
  const isText = typeof first === 'string' || first instanceof Uint8Array;
  return 1 + listBaseCost + Math.trunc(size * size * (isText ? 2 + costPerCharacter : 2));
}

/** The cost of a function that compares the items of two lists with each other, this many times. */
export function comparesLists(times: number): CallCost {
  return ([a, b]) => 1 + sizeOf(a!) * sizeOf(b!) * times;
}

/** The cost of `==` and `!=`. */
export function equalityCost(a: CelResult, b: CelResult): number {
  const isAddress = a instanceof Ip || a instanceof Cidr;
  return isAddress ? 1 : readingCost(Math.min(sizeOf(a), sizeOf(b)));
}
