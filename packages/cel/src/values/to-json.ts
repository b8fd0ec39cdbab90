import type { CelValue } from './cel-value.ts';

/** The JSON that a value came from; undefined for one that only an expression can create. Ints stay bigint. */
export function toJson(value: CelValue): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return 'json' in value ? value.json : undefined;
}
