import type { CelResult } from './cel-value.ts';
import { isError } from './evaluation-error.ts';
import type { CelEvaluationError } from './evaluation-error.ts';
import { equalNumbers, isNumeric } from './numbers.ts';

/**
 * `a == b`: values of different types are not equal, numbers of different types may be. Null is equal to null alone.
 * @returns an error for two values of which one is special to Kubernetes and the other of another type
 */
export function equals(a: CelResult, b: CelResult): boolean | CelEvaluationError {
  if (a === null || b === null) return a === b;
  return equalsNonNull(a, b);
}

/** As `equals`, where the type of `a` decides what happens with null. */
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
