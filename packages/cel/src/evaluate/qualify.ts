import type { CelResult, CelValue } from '../values/cel-value.ts';
import { CelEvaluationError } from '../values/evaluation-error.ts';
import { CelList } from '../values/list.ts';
import { CelMap } from '../values/map.ts';
import { isNumeric } from '../values/numbers.ts';
import { showValue } from '../values/show-value.ts';
import { typeNameOf } from '../values/type-of.ts';

/**
 * The field of a map or an object, or the item of a list.
 *
 * @param mayMiss whether it is optional
 * @returns undefined when it is optional and missing
 */
export function qualify(value: CelValue, key: CelValue, mayMiss: boolean): CelResult | undefined {
  const isKey = typeof key === 'string' || typeof key === 'boolean' || isNumeric(key);
  if (!isKey) return new CelEvaluationError(`invalid qualifier type: ${typeNameOf(key)}`);
  if (value instanceof CelList) return qualifyList(value, key, mayMiss);
  const found = value instanceof CelMap ? value.find(key) : undefined;
  if (found !== undefined || mayMiss) return found;
  return new CelEvaluationError(`no such key: ${showValue(key)}`);
}

function qualifyList(list: CelList, key: CelValue, mayMiss: boolean): CelResult | undefined {
  const index = toIndex(key);
  if (typeof index !== 'bigint') return index;
  if (index >= 0n && index < BigInt(list.size)) return list.at(Number(index));
  return mayMiss ? undefined : new CelEvaluationError(`index out of bounds: ${showValue(key)}`);
}

function toIndex(key: CelValue): bigint | CelEvaluationError {
  if (!isNumeric(key)) return new CelEvaluationError(`unsupported index type '${typeNameOf(key)}' in list`);
  if (typeof key === 'object') return key.value;
  if (typeof key === 'bigint' || Number.isSafeInteger(key)) return BigInt(key);
  return new CelEvaluationError(`unsupported index value ${showValue(key)} in list`);
}
