import type { CelValue } from './cel-value.ts';
import { compareStrings } from './code-points.ts';
import { Duration } from './duration.ts';
import { compareNumbers, isNumeric, order } from './numbers.ts';
import { Timestamp } from './timestamp.ts';

/**
 * Compares two values, as `<` does.
 *
 * @returns undefined for NaN and for values without an order
 */
export function compare(a: CelValue, b: CelValue): -1 | 0 | 1 | undefined {
  if (isNumeric(a) && isNumeric(b)) return compareNumbers(a, b);
  if (typeof a === 'string' && typeof b === 'string') return compareStrings(a, b);
  if (typeof a === 'boolean' && typeof b === 'boolean') return order(Number(a), Number(b));
  if (a instanceof Uint8Array && b instanceof Uint8Array) return compareBytes(a, b);
  if (a instanceof Timestamp && b instanceof Timestamp) return order(a.nanoseconds, b.nanoseconds);
  if (a instanceof Duration && b instanceof Duration) return order(a.nanoseconds, b.nanoseconds);
  return undefined;
}

function compareBytes(a: Uint8Array, b: Uint8Array): -1 | 0 | 1 {
  for (let i = 0; i < a.length && i < b.length; i++) {
    if (a[i] !== b[i]) return order(a[i]!, b[i]!);
  }
  return order(a.length, b.length);
}
