import { goEscapes } from 'ots-apimachinery/go/go-quote';
import { characters, codePointLength, sliceCodePoints } from '../values/code-points.ts';
import type { CelResult } from '../values/cel-value.ts';
import { CelEvaluationError, isError, noSuchOverload } from '../values/evaluation-error.ts';
import { ArrayList } from '../values/list.ts';
import type { CelList } from '../values/list.ts';
import { readingCost, readsFirst, rewritesFirst, sizeOf, traversesFirst } from './costs.ts';
import { formatText } from './format-text.ts';
import { overload } from './overload.ts';
import type { CallCost, FunctionTable } from './overload.ts';

const containsCost: CallCost = ([text, part]) => readingCost(sizeOf(text!)) * readingCost(sizeOf(part!));
const joinCost: CallCost = (_, result) => readingCost(sizeOf(result), 2);

/** The functions on strings: those of the standard library, and version 2 of the string extension. */
export const strings: FunctionTable = {
  contains: [overload(['string', 'string'], (text, part) => text.includes(part), containsCost)],
  startsWith: [overload(['string', 'string'], (text, start) => text.startsWith(start), readsFirst)],
  endsWith: [overload(['string', 'string'], (text, end) => text.endsWith(end), readsFirst)],
  charAt: [overload(['string', 'int'], charAt)],
  indexOf: [
    overload(['string', 'string'], (text, part) => indexOf(text, part, 0n), traversesFirst),
    overload(['string', 'string', 'int'], indexOf, traversesFirst),
  ],
  lastIndexOf: [
    overload(
      ['string', 'string'],
      (text, part) => lastIndexOf(text, part, BigInt(codePointLength(text)) - (part === '' ? 0n : 1n)),
      traversesFirst,
    ),
    overload(['string', 'string', 'int'], lastIndexOf, traversesFirst),
  ],
  lowerAscii: [
    overload(['string'], (text) => text.replaceAll(/[A-Z]+/g, (part) => part.toLowerCase()), readsFirst),
  ],
  upperAscii: [
    overload(['string'], (text) => text.replaceAll(/[a-z]+/g, (part) => part.toUpperCase()), readsFirst),
  ],
  'jsonpatch.escapeKey': [
    overload(['string'], (text) => text.replaceAll('~', '~0').replaceAll('/', '~1'), readsFirst),
  ],
  replace: [
    overload(['string', 'string', 'string'], (text, old, by) => replace(text, old, by, -1n), rewritesFirst),
    overload(['string', 'string', 'string', 'int'], replace, rewritesFirst),
  ],
  split: [
    overload(['string', 'string'], (text, separator) => split(text, separator, -1n), rewritesFirst),
    overload(['string', 'string', 'int'], split, rewritesFirst),
  ],
  substring: [
    overload(
      ['string', 'int'],
      (text, start) => substring(text, start, BigInt(codePointLength(text))),
      readsFirst,
    ),
    overload(['string', 'int', 'int'], substring, readsFirst),
  ],
  // Unicode's white space, which differs from JavaScript's.
  trim: [overload(['string'], trim, readsFirst)],
  join: [
    overload(['list'], (list) => join(list, ''), joinCost),
    overload(['list', 'string'], join, joinCost),
  ],
  format: [overload(['string', 'list'], formatText, readsFirst)],
  'strings.quote': [overload(['string'], quote, readsFirst)],
};

function outOfRange(index: bigint): CelEvaluationError {
  return new CelEvaluationError(`index out of range: ${index}`);
}

function charAt(text: string, index: bigint): CelResult {
  const parts = characters(text);
  if (index < 0n || index > BigInt(parts.length)) return outOfRange(index);
  return parts[Number(index)] ?? '';
}

function indexOf(text: string, part: string, offset: bigint): CelResult {
  if (part === '') return offset;
  if (offset < 0n) return outOfRange(offset);
  const from = unitIndex(text, offset);
  return from === undefined ? -1n : codePointIndex(text, text.indexOf(part, from));
}

function lastIndexOf(text: string, part: string, offset: bigint): CelResult {
  if (part === '') return offset;
  if (text === '') return -1n;
  if (offset < 0n) return outOfRange(offset);
  const from = unitIndex(text, offset);
  return from === undefined ? -1n : codePointIndex(text, text.lastIndexOf(part, from));
}

/** The index of a code point in a text; undefined beyond the last one. */
function unitIndex(text: string, index: bigint): number | undefined {
  const parts = characters(text);
  if (index >= BigInt(parts.length)) return undefined;
  return typeof parts === 'string' ? Number(index) : parts.slice(0, Number(index)).join('').length;
}

function codePointIndex(text: string, index: number): bigint {
  return BigInt(index === -1 ? -1 : codePointLength(text.slice(0, index)));
}

function replace(text: string, old: string, by: string, limit: bigint): string {
  if (limit < 0n && old !== '') return text.replaceAll(old, () => by);
  // The empty text occurs before each character and at the end.
  const parts = old === '' ? ['', ...Array.from(text), ''] : text.split(old);
  const count = limit < 0n ? parts.length - 1 : Math.min(Number(limit), parts.length - 1);
  return (
    parts.slice(0, count + 1).join(by) +
    parts
      .slice(count + 1)
      .map((part) => old + part)
      .join('')
  );
}

function split(text: string, separator: string, limit: bigint): CelResult {
  if (limit === 0n) return new ArrayList([]);
  const parts = separator === '' ? Array.from(text) : text.split(separator);
  if (limit < 0n || BigInt(parts.length) <= limit) return new ArrayList(parts);
  const kept = Number(limit) - 1;
  return new ArrayList([...parts.slice(0, kept), parts.slice(kept).join(separator)]);
}

function substring(text: string, start: bigint, end: bigint): CelResult {
  const length = BigInt(codePointLength(text));
  if (start < 0n || start > length) {
    return start > end && end !== length
      ? new CelEvaluationError(`invalid substring range. start: ${start}, end: ${end}`)
      : outOfRange(start);
  }
  if (start > end) return new CelEvaluationError(`invalid substring range. start: ${start}, end: ${end}`);
  return end > length ? outOfRange(end) : sliceCodePoints(text, Number(start), Number(end));
}

function isSpace(unit: string): boolean {
  return /\p{White_Space}/u.test(unit);
}

function trim(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isSpace(text[start]!)) start++;
  while (end > start && isSpace(text[end - 1]!)) end--;
  return text.slice(start, end);
}

function join(list: CelList, separator: string): CelResult {
  const parts: string[] = [];
  for (const item of list) {
    if (isError(item)) return item;
    if (typeof item !== 'string') return noSuchOverload();
    parts.push(item);
  }
  return parts.join(separator);
}

function quote(text: string): string {
  return `"${Array.from(text, (character) => goEscapes[character] ?? character).join('')}"`;
}
