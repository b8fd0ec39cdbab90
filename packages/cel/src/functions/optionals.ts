import type { CelResult, CelValue } from '../values/cel-value.ts';
import { Duration } from '../values/duration.ts';
import { CelEvaluationError, isError } from '../values/evaluation-error.ts';
import { ArrayList } from '../values/list.ts';
import type { CelList } from '../values/list.ts';
import { EntriesMap } from '../values/map.ts';
import { Optional } from '../values/optional.ts';
import { showValue } from '../values/show-value.ts';
import { Timestamp } from '../values/timestamp.ts';
import { Uint } from '../values/uint.ts';
import { overload } from './overload.ts';
import type { FunctionTable } from './overload.ts';

/** 0001-01-01T00:00:00Z, Go's zero time. */
const zeroTime = -62_135_596_800_000_000_000n;

/** The functions on optional values, except `or` and `orValue`, which may skip their argument. */
export const optionals: FunctionTable = {
  'optional.of': [overload(['any'], (value) => Optional.of(value))],
  'optional.none': [overload([], () => Optional.none)],
  'optional.ofNonZeroValue': [
    overload(['any'], (value) => (isZero(value) ? Optional.none : Optional.of(value))),
  ],
  'optional.unwrap': [overload(['list'], unwrap)],
  unwrapOpt: [overload(['list'], unwrap)],
  hasValue: [overload(['optional'], ({ hasValue }) => hasValue)],
  value: [overload(['optional'], ({ value }) => value)],
};

/** For the API server, lists and maps from JSON are never zero, only those that an expression created. */
function isZero(value: CelValue): boolean {
  if (value === null || value === false || value === 0n || value === 0 || value === '') return true;
  if (value instanceof Uint) return value.value === 0n;
  if (value instanceof Uint8Array) return value.length === 0;
  if (value instanceof Duration) return value.nanoseconds === 0n;
  if (value instanceof Timestamp) return value.nanoseconds === zeroTime;
  return (value instanceof ArrayList || value instanceof EntriesMap) && value.size === 0;
}

function unwrap(list: CelList): CelResult {
  const items: CelResult[] = [];
  for (const item of list) {
    if (isError(item)) return item;
    if (!(item instanceof Optional))
      return new CelEvaluationError(`value ${showValue(item)} is not optional`);
    if (item.hasValue) items.push(item.value);
  }
  return new ArrayList(items);
}
