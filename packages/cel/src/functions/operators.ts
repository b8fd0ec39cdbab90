import { compare } from '../values/compare.ts';
import type { CelResult, CelValue } from '../values/cel-value.ts';
import { Duration } from '../values/duration.ts';
import { CelEvaluationError, noSuchOverload } from '../values/evaluation-error.ts';
import type { CelMap } from '../values/map.ts';
import { maxInt, maxUint, minInt } from '../values/numbers.ts';
import { Timestamp } from '../values/timestamp.ts';
import { Uint } from '../values/uint.ts';
import { readingCost, readsShorter, sizeOf } from './costs.ts';
import { overload } from './overload.ts';
import type { CallCost, FunctionTable, Overload } from './overload.ts';

const readsBoth: CallCost = ([a, b]) => readingCost(sizeOf(a!) + sizeOf(b!));

/** The operators that are functions, except those that may skip an operand. */
export const operators: FunctionTable = {
  '_+_': [
    overload(['int', 'int'], (a, b) => int(a + b)),
    overload(['uint', 'uint'], (a, b) => uint(a.value + b.value)),
    overload(['double', 'double'], (a, b) => a + b),
    overload(['string', 'string'], (a, b) => a + b, readsBoth),
    overload(['bytes', 'bytes'], joinBytes, readsBoth),
    overload(['list', 'list'], (a, b) => a.concat(b)),
    overload(['duration', 'duration'], (a, b) => duration(a.nanoseconds + b.nanoseconds)),
    overload(['timestamp', 'duration'], (a, b) => shift(a, b.nanoseconds)),
    overload(['duration', 'timestamp'], (a, b) => shift(b, a.nanoseconds)),
  ],
  '_-_': [
    overload(['int', 'int'], (a, b) => int(a - b)),
    overload(['uint', 'uint'], (a, b) => uint(a.value - b.value)),
    overload(['double', 'double'], (a, b) => a - b),
    overload(['duration', 'duration'], (a, b) => duration(a.nanoseconds - b.nanoseconds)),
    overload(['timestamp', 'duration'], (a, b) => shift(a, -b.nanoseconds)),
    overload(['timestamp', 'timestamp'], (a, b) => duration(a.nanoseconds - b.nanoseconds)),
  ],
  '_*_': [
    overload(['int', 'int'], (a, b) => int(a * b)),
    overload(['uint', 'uint'], (a, b) => uint(a.value * b.value)),
    overload(['double', 'double'], (a, b) => a * b),
  ],
  '_/_': [
    overload(['int', 'int'], (a, b) => (b === 0n ? dividedByZero() : int(a / b))),
    overload(['uint', 'uint'], (a, b) => (b.value === 0n ? dividedByZero() : uint(a.value / b.value))),
    overload(['double', 'double'], (a, b) => a / b),
  ],
  '_%_': [
    // The quotient overflows, although the remainder would be 0.
    overload(['int', 'int'], (a, b) =>
      b === 0n ? moduloZero() : a === minInt && b === -1n ? int(-a) : a % b,
    ),
    overload(['uint', 'uint'], (a, b) => (b.value === 0n ? moduloZero() : uint(a.value % b.value))),
  ],
  '-_': [
    overload(['int'], (a) => int(-a)),
    overload(['double'], (a) => -a),
    overload(['duration'], (a) => duration(-a.nanoseconds)),
  ],
  '!_': [overload(['bool'], (a) => !a)],
  '_<_': comparisons((order) => order < 0),
  '_<=_': comparisons((order) => order <= 0),
  '_>_': comparisons((order) => order > 0),
  '_>=_': comparisons((order) => order >= 0),
  '@in': [
    overload(
      ['any', 'list'],
      (value, list) => list.contains(value),
      ([, list]) => sizeOf(list!),
    ),
    overload(['any', 'map'], (key, map) => map.contains(key)),
  ],
  'cel.@mapInsert': [
    overload(['map', 'any', 'any'], (map, key, value) => insert(map, key, value)),
    overload(['map', 'map'], (map, entry) => {
      let result: CelResult = map;
      for (const key of entry.keys()) result = insert(map, key, entry.find(key)!);
      return result;
    }),
  ],
};

function joinBytes(a: Uint8Array, b: Uint8Array): Uint8Array {
  const joined = new Uint8Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}

function comparisons(holds: (order: -1 | 0 | 1) => boolean): readonly Overload[] {
  const run = (a: CelValue, b: CelValue) => {
    const order = compare(a, b);
    if (order !== undefined) return holds(order);
    return Number.isNaN(a) || Number.isNaN(b)
      ? new CelEvaluationError('NaN values cannot be ordered')
      : noSuchOverload();
  };
  return [
    overload(['string', 'string'], run, readsShorter),
    overload(['bytes', 'bytes'], run, readsShorter),
    overload(['any', 'any'], run),
  ];
}

function insert(map: CelMap, key: CelValue, value: CelResult): CelResult {
  return 'insert' in map && typeof map.insert === 'function'
    ? (map.insert(key, value) as CelResult)
    : noSuchOverload();
}

function int(value: bigint): CelResult {
  return value >= minInt && value <= maxInt ? value : new CelEvaluationError('integer overflow');
}

function uint(value: bigint): CelResult {
  return value >= 0n && value <= maxUint
    ? new Uint(value)
    : new CelEvaluationError('unsigned integer overflow');
}

function duration(nanoseconds: bigint): CelResult {
  return nanoseconds >= minInt && nanoseconds <= maxInt
    ? new Duration(nanoseconds)
    : new CelEvaluationError('integer overflow');
}

function shift(time: Timestamp, nanoseconds: bigint): CelResult {
  const result = new Timestamp(time.nanoseconds + nanoseconds, time.offsetMinutes);
  return result.inRange ? result : new CelEvaluationError('timestamp overflow');
}

function dividedByZero(): CelEvaluationError {
  return new CelEvaluationError('division by zero');
}

function moduloZero(): CelEvaluationError {
  return new CelEvaluationError('modulus by zero');
}
