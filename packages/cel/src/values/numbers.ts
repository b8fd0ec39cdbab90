import type { CelValue } from './cel-value.ts';
import type { Uint } from './uint.ts';

/** int, uint or double. Numbers of different types can be compared. */
export type Numeric = bigint | number | Uint;

export const maxInt = 2n ** 63n - 1n;
export const minInt = -(2n ** 63n);
export const maxUint = 2n ** 64n - 1n;

/** Whether a value is an int, uint or double. */
export function isNumeric(value: CelValue): value is Numeric {
  return typeof value === 'bigint' || typeof value === 'number' || typeNameOf(value) === 'uint';
}

/** Whether two numbers of any types are equal; NaN equals nothing. */
export function equalNumbers(a: Numeric, b: Numeric): boolean {
  return compareNumbers(a, b) === 0;
}

/** -1, 0 or 1; undefined for NaN. An integer and a double are compared as doubles, as in the API server. */
export function compareNumbers(a: Numeric, b: Numeric): -1 | 0 | 1 | undefined {
  if (typeof a !== 'number' && typeof b !== 'number') return order(integer(a), integer(b));
  const [x, y] = [double(a), double(b)];
  return Number.isNaN(x) || Number.isNaN(y) ? undefined : order(x, y);
}

function integer(value: bigint | Uint): bigint {
  return typeof value === 'bigint' ? value : value.value;
}

function double(value: Numeric): number {
  return typeof value === 'number' ? value : Number(integer(value));
}

/** -1, 0 or 1 by `<`. */
export function order<T extends bigint | number>(a: T, b: T): -1 | 0 | 1 {
  return a < b ? -1 : a > b ? 1 : 0;
}

function typeNameOf(value: CelValue): string | undefined {
  return typeof value === 'object' && value !== null && 'typeName' in value ? value.typeName : undefined;
}
