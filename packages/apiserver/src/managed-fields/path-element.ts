import { goQuote } from 'ots-apimachinery/go/go-quote';
import { type JsonObject, isObject } from '../json/json-object.ts';
import type { ExactInteger } from '../json/exact-integer.ts';
import { parseJson } from '../json/parse-json.ts';
import { goJson } from '../json/go-json.ts';

/**
 * One element of a path, in FieldsV1 syntax: `f:` and a field name, `k:` and the keys of a list item, `v:` and an
 * item of a set, `i:` and an index. Equal elements are equal strings.
 */
export type PathElement = string;

/** A path element with the keys of a list item, as {@link keyElement} and FieldsV1 write it. */
export function keyElement(keys: JsonObject): PathElement {
  return `k:${goJson(keys)}`;
}

export function valueElement(value: unknown): PathElement {
  return `v:${goJson(value)}`;
}

/**
 * Parses a path element from FieldsV1.
 *
 * @returns undefined for an unknown kind of element, to be skipped
 * @throws {SyntaxError} when it is malformed
 */
export function parseElement(text: string): PathElement | undefined {
  if (text[1] !== ':') throw new SyntaxError(`missing colon: ${text}`);
  switch (text[0]) {
    case 'f':
      return text;
    case 'k': {
      const keys = parseJson(text.slice(2));
      if (!isObject(keys)) throw new SyntaxError(`no keys: ${text}`);
      return keyElement(keys);
    }
    case 'v':
      return valueElement(parseJson(text.slice(2)));
    case 'i':
      if (!/^-?\d{1,15}$/.test(text.slice(2))) throw new SyntaxError(`no index: ${text}`);
      return text;
    default:
      return undefined;
  }
}

/**
 * A path element as messages show it, such as `.spec` or `[name="web"]`.
 *
 * @param showNumber formats numbers
 */
export function displayElement(element: PathElement, showNumber: ShowNumber = String): string {
  const text = element.slice(2);
  if (element.startsWith('f:')) return `.${text}`;
  if (element.startsWith('i:')) return `[${text}]`;
  const value = parseJson(text);
  if (element.startsWith('v:')) return `[=${displayValue(value, showNumber)}]`;
  const keys = Object.entries(value as JsonObject).map(
    ([name, key]) => `${name}=${displayValue(key, showNumber)}`,
  );
  return `[${keys.join(',')}]`;
}

/** Sorts path elements for FieldsV1: fields, keys, values, indexes. */
export function sortElements(elements: Iterable<PathElement>): PathElement[] {
  const all = [...elements];
  if (all.length < 2) return all;
  if (all.every((element) => element.startsWith('f:'))) return all.toSorted(compareTexts);
  return all
    .map((element) => ({ element, value: valueIn(element) }))
    .toSorted(compareElements)
    .map(({ element }) => element);
}

/** Sorts path elements for custom resources, which Go sorts as strings, like any JSON. */
export function sortTexts(elements: Iterable<PathElement>): PathElement[] {
  return [...elements].toSorted(compareTexts);
}

type ShowNumber = (value: ExactInteger) => string;

function displayValue(value: unknown, showNumber: ShowNumber): string {
  if (Array.isArray(value)) return `[${value.map((item) => displayValue(item, showNumber)).join(',')}]`;
  if (isObject(value)) {
    return Object.entries(value)
      .map(([name, item]) => `${name}=${displayValue(item, showNumber)}`)
      .join('');
  }
  if (typeof value === 'number' || typeof value === 'bigint') return showNumber(value);
  return typeof value === 'string' ? goQuote(value) : String(value);
}

/** A path element, and what its text stands for. */
interface ReadElement {
  readonly element: PathElement;
  readonly value: unknown;
}

function valueIn(element: PathElement): unknown {
  return /^[kv]:/.test(element) ? parseJson(element.slice(2)) : undefined;
}

function compareElements(
  { element: a, value: left }: ReadElement,
  { element: b, value: right }: ReadElement,
): number {
  // f < k < v < i
  if (a[0] !== b[0]) return 'fkvi'.indexOf(a[0] ?? '') - 'fkvi'.indexOf(b[0] ?? '');
  if (a.startsWith('f:')) return compareTexts(a, b);
  if (a.startsWith('i:')) return Number(a.slice(2)) - Number(b.slice(2));
  return a.startsWith('k:')
    ? compareKeys(Object.entries(left as JsonObject), Object.entries(right as JsonObject))
    : compareValues(left, right);
}

function compareKeys(a: [string, unknown][], b: [string, unknown][]): number {
  for (const [index, [name, value]] of a.entries()) {
    const other = b[index];
    if (!other) return 1;
    const order = compareTexts(name, other[0]) || compareValues(value, other[1]);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** Numbers come before strings, strings before booleans, and null last. Other values cannot be items of sets. */
function compareValues(a: unknown, b: unknown): number {
  const order = rankOf(a) - rankOf(b);
  if (order !== 0) return order;
  return typeof a === 'string' && typeof b === 'string' ? compareTexts(a, b) : Number(a) - Number(b);
}

function rankOf(value: unknown): number {
  return ['number', 'string', 'boolean', 'object'].indexOf(typeof value);
}

/** Compares by code point, as Go compares UTF-8 bytes. JavaScript sorts surrogates before U+E000. */
function compareTexts(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left === right) continue;
    if (isSurrogate(left) !== isSurrogate(right) && Math.min(left, right) >= 0xd800) {
      return isSurrogate(left) ? 1 : -1;
    }
    return left - right;
  }
  return a.length - b.length;
}

function isSurrogate(code: number): boolean {
  return code >= 0xd800 && code < 0xe000;
}
