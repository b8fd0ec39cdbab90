import { nanosOf } from 'ots-apimachinery/quantity/amount';
import { jsonEqual } from '../../json/json-equal.ts';
import { isObject } from '../../json/json-object.ts';

const amounts = new Set(['limits', 'requests', 'overhead']);

/** Whether two parts of pods are equivalent: ignores the notation of quantities, and empty values. */
export function sameSpec(one: unknown, other: unknown): boolean {
  return jsonEqual(one, other) || jsonEqual(plain(one), plain(other));
}

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([, item]) => !isEmptyList(item));
  return Object.fromEntries(
    entries.map(([key, item]) => [key, amounts.has(key) && isObject(item) ? numbers(item) : plain(item)]),
  );
}

function isEmptyList(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

function numbers(list: Record<string, unknown>): unknown {
  return Object.entries(list)
    .map(([name, amount]) => [name, `${nanosOf(String(amount))}`])
    .toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1));
}
