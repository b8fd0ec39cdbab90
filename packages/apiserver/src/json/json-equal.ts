import { isNumber } from './json-number.ts';
import { isObject } from './json-object.ts';
import { maxRecursion } from './depth.ts';

/** Two values still to be compared. */
type Pair = readonly [a: unknown, b: unknown];

/** Compares two JSON values. A key with the value undefined counts as absent. */
export function jsonEqual(a: unknown, b: unknown): boolean {
  const open: Pair[] = [];
  if (!isEqual(a, b, 0, open)) return false;
  for (const [left, right] of open) if (!isEqual(left, right, 0, open)) return false;
  return true;
}

/** @param open receives what is too deep for the stack */
function isEqual(a: unknown, b: unknown, depth: number, open: Pair[]): boolean {
  if (a === b) return true;
  // A float may equal an integer that only a bigint can represent.
  if (typeof a === 'bigint' || typeof b === 'bigint') return isNumber(a) && isNumber(b) && a == b;
  if (depth === maxRecursion) return open.push([a, b]) > 0;
  if (Array.isArray(a)) {
    return (
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, index) => isEqual(item, b[index], depth + 1, open))
    );
  }
  if (!isObject(a) || !isObject(b)) return false;
  const keys = presentKeys(a);
  return (
    keys.length === presentKeys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isEqual(a[key], b[key], depth + 1, open))
  );
}

function presentKeys(object: Record<string, unknown>): string[] {
  return Object.keys(object).filter((key) => object[key] !== undefined);
}
