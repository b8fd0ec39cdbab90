import { isInteger } from '../json/exact-integer.ts';
import { isObject } from '../json/json-object.ts';
import { printTree } from '../json/print-tree.ts';

/** What Go calls the type of a JSON value; whole numbers are apart from others. */
export type GoKind = 'map' | 'slice' | 'string' | 'int64' | 'float64' | 'bool' | 'nil';

const typeNames = { map: 'map[string]interface {}', slice: '[]interface {}' };

/** Which type Go gives a JSON value; `nil` is null, and what is absent. */
export function goKind(value: unknown): GoKind {
  if (value === null || value === undefined) return 'nil';
  if (Array.isArray(value)) return 'slice';
  if (isObject(value)) return 'map';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  return isInteger(value) ? 'int64' : 'float64';
}

/** The type as Go's messages name it, such as `map[string]interface {}`. */
export function goTypeName(value: unknown): string {
  const kind = goKind(value);
  if (kind === 'nil') return '%!s(<nil>)';
  return kind === 'map' || kind === 'slice' ? typeNames[kind] : kind;
}

/** A JSON value as Go prints it in messages (`%v`): `map[a:1 b:[x y]]`, the keys of maps in order. */
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

/** A value where Go's message expects a string (`%s`). */
export function printGoAsString(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === null ? '%!s(<nil>)' : `%!s(${goTypeName(value)}=${printGo(value)})`;
}

/** Go writes exponents with two digits at least. */
function printFloat(value: number): string {
  const text =
    Math.abs(value) >= 1e21 || (value !== 0 && Math.abs(value) < 1e-4) ? value.toExponential() : `${value}`;
  return text.replace(/e([-+])(\d)$/, 'e$10$2');
}
