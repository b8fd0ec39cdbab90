import type { CelResult } from './cel-value.ts';
import { isError } from './evaluation-error.ts';
import type { CelEvaluationError } from './evaluation-error.ts';
import { equalNumbers, isNumeric } from './numbers.ts';

/**
 * `a == b`: values of different types are not equal, but numbers of different types may be. Null equals only null.
 *
 * @returns an error if one value is of a Kubernetes type and the other of another type
 */
export function equals(a: CelResult, b: CelResult): boolean | CelEvaluationError {
  if (a === null || b === null) return a === b;
  return equalsNonNull(a, b);
}

/** Like `equals`, but the type of `a` decides about null. */
export function equalsNonNull(a: CelResult, b: CelResult): boolean | CelEvaluationError {
  if (isError(a)) return a;
  if (isError(b)) return b;
  if (typeof a === 'bigint' || typeof a === 'number') return isNumeric(b) && equalNumbers(a, b);
  if (typeof a !== 'object' || a === null) return a === b;
  if (a instanceof Uint8Array) return b instanceof Uint8Array && equalBytes(a, b);
  return a.equals(b);
}

function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}
