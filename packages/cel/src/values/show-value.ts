import { formatDouble } from 'ots-apimachinery/go/format-double';
import type { CelValue } from './cel-value.ts';
import { Uint } from './uint.ts';

/** A key or an index as messages show it. */
export function showValue(value: CelValue): string {
  if (typeof value === 'number') return formatDouble(value);
  if (value instanceof Uint) return String(value.value);
  return typeof value === 'object' && value !== null ? value.constructor.name : String(value);
}
