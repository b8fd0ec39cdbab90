import type { CelResult } from '../values/cel-value.ts';
import { Cidr } from '../values/cidr.ts';
import { codePointLength } from '../values/code-points.ts';
import { Ip } from '../values/ip.ts';
import { CelList } from '../values/list.ts';
import { CelMap, entriesOf } from '../values/map.ts';
import { Optional } from '../values/optional.ts';
import type { CallCost } from './overload.ts';

/** What a character costs that is read. */
const costPerCharacter = 0.1;
/** What a character of a regular expression costs for each ten characters of the text. */
const costPerPatternCharacter = 0.25;
/** What a new list costs. */
export const listBaseCost = 10;

/** How large a value is, as costs are computed. */
export function sizeOf(value: CelResult): number {
  if (typeof value === 'string') return codePointLength(value);
  if (value instanceof Uint8Array) return value.length;
  if (value instanceof CelList || value instanceof CelMap || value instanceof Ip || value instanceof Cidr)
    return value.size;
  return value instanceof Optional && value.hasValue ? sizeOf(value.value) : 1;
}

/** The cost of reading so many characters. */
export function readingCost(size: number, times = 1): number {
  return Math.ceil(size * times * costPerCharacter);
}

/** The cost of a function that reads its first argument. */
export const readsFirst: CallCost = ([first]) => readingCost(sizeOf(first!));

/** The cost of a function that reads its first argument and makes as much. */
export const rewritesFirst: CallCost = ([first]) => readingCost(sizeOf(first!), 2);

/** The cost of a function that compares its arguments character by character. */
export const readsShorter: CallCost = ([a, b]) => readingCost(Math.min(sizeOf(a!), sizeOf(b!)));

/** The cost of matching a text of a size with a pattern of a length. */
export function matchingCost(size: number, patternLength: number): number {
  return Math.ceil((1 + size) * costPerCharacter) * Math.ceil(patternLength * costPerPatternCharacter);
}

/** The cost of a regular expression: its length times that of the text. */
export const matchesPatternCost: CallCost = ([text, pattern]) =>
  matchingCost(sizeOf(text!), sizeOf(pattern!));

/** The cost of walking through everything in the first argument. */
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

/** The cost of a function whose list is as long as it is worth. */
export const makesList: CallCost = (_, result) => 1 + listBaseCost + sizeOf(result);

/** The cost of a function that compares the items of a list with each other. */
export function comparesItems(list: CelList): number {
  const { size } = list;
  const first = size > 0 ? list.at(0) : undefined;
  const isText = typeof first === 'string' || first instanceof Uint8Array;
  return 1 + listBaseCost + Math.trunc(size * size * (isText ? 2 + costPerCharacter : 2));
}

/** The cost of a function that compares the items of two lists with each other, so many times. */
export function comparesLists(times: number): CallCost {
  return ([a, b]) => 1 + sizeOf(a!) * sizeOf(b!) * times;
}

/** The cost of `==` and `!=`. */
export function equalityCost(a: CelResult, b: CelResult): number {
  const isAddress = a instanceof Ip || a instanceof Cidr;
  return isAddress ? 1 : readingCost(Math.min(sizeOf(a), sizeOf(b)));
}
