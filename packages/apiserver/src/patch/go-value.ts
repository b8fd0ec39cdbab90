import { isInteger } from '../json/exact-integer.ts';
import { isObject } from '../json/json-object.ts';
import { printTree } from '../json/print-tree.ts';

/** Go's type of a JSON value; integers are separate from other numbers. */
export type GoKind = 'map' | 'slice' | 'string' | 'int64' | 'float64' | 'bool' | 'nil';

const typeNames = { map: 'map[string]interface {}', slice: '[]interface {}' };

/** Go's type of a JSON value. Null and absent values are `nil`. */
export function goKind(value: unknown): GoKind {
  if (value === null || value === undefined) return 'nil';
  if (Array.isArray(value)) return 'slice';
  if (isObject(value)) return 'map';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  return isInteger(value) ? 'int64' : 'float64';
}

/** The type in Go's messages, such as `map[string]interface {}`. */
export function goTypeName(value: unknown): string {
  const kind = goKind(value);
  if (kind === 'nil') return '%!s(<nil>)';
  return kind === 'map' || kind === 'slice' ? typeNames[kind] : kind;
}

/** Formats a JSON value as Go's `%v`: `map[a:1 b:[x y]]`, with sorted map keys. */
export function printGo(value: unknown): string {
  return printTree(value, {
    list: ['[', ']'],
    map: ['map[', ']'],
    separator: ' ',
    keysOf: (object) =>
      Object.keys(object).toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
    key: (key) => `${key}:`,
    scalar: printScalar,
  });
}

function printScalar(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (typeof value === 'bigint') return `${value}`;
  if (typeof value === 'number') return goKind(value) === 'int64' ? `${value}` : printFloat(value);
  return typeof value === 'string' ? value : `${value === true}`;
}

/** Formats a value where Go's message expects a string (`%s`). */
export function printGoAsString(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === null ? '%!s(<nil>)' : `%!s(${goTypeName(value)}=${printGo(value)})`;
}

/** Go writes exponents with at least two digits. */
function printFloat(value: number): string {
  const text =
    Math.abs(value) >= 1e21 || (value !== 0 && Math.abs(value) < 1e-4) ? value.toExponential() : `${value}`;
  return text.replace(/e([-+])(\d)$/, 'e$10$2');
}
