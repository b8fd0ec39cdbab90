import type { CelResult, CelValue } from '../values/cel-value.ts';
import { codePointLength } from '../values/code-points.ts';
import { CelEvaluationError, noSuchOverload } from '../values/evaluation-error.ts';
import { maxInt, maxUint, minInt } from '../values/numbers.ts';
import { parseDuration } from '../values/parse-duration.ts';
import { parseTimestamp } from '../values/parse-timestamp.ts';
import { Timestamp } from '../values/timestamp.ts';
import { typeNameOf } from '../values/type-of.ts';
import { TypeValue } from '../values/type-value.ts';
import { Uint } from '../values/uint.ts';
import { readsFirst } from './costs.ts';
import { overload } from './overload.ts';
import type { FunctionTable } from './overload.ts';
import { parseDouble } from './parse-double.ts';
import { textOf } from './text-of.ts';

const bools: ReadonlyMap<string, boolean> = new Map(
  '1 t T TRUE true True'
    .split(' ')
    .map((text) => [text, true] as [string, boolean])
    .concat('0 f F FALSE false False'.split(' ').map((text) => [text, false])),
);

const bytesOf = (text: string) => new TextEncoder().encode(text);
const withText = (value: CelValue) => textOf(value) ?? noSuchOverload();

/** Conversions between types, and the functions of every type. */
export const conversions: FunctionTable = {
  type: [overload(['any'], (value) => new TypeValue(typeNameOf(value)))],
  dyn: [overload(['any'], (value) => value)],
  size: [
    overload(['string'], (text) => BigInt(codePointLength(text))),
    overload(['bytes'], (bytes) => BigInt(bytes.length)),
    overload(['list'], (list) => BigInt(list.size)),
    overload(['map'], (map) => BigInt(map.size)),
  ],
  bool: [
    overload(['bool'], (value) => value),
    overload(['string'], (text) => bools.get(text) ?? cannotConvert('bool')),
  ],
  bytes: [overload(['bytes'], (bytes) => bytes), overload(['string'], bytesOf, readsFirst)],
  double: [
    overload(['double'], (value) => value),
    overload(['int'], Number),
    overload(['uint'], ({ value }) => Number(value)),
    overload(['string'], (text) => parseDouble(text) ?? cannotConvert('double')),
  ],
  duration: [
    overload(['duration'], (value) => value),
    overload(['string'], (text) => parseDuration(text) ?? cannotConvert('google.protobuf.Duration')),
  ],
  int: [
    overload(['int'], (value) => value),
    overload(['uint'], ({ value }) => (value <= maxInt ? value : overflow('integer'))),
    overload(['double'], doubleToInt),
    overload(['duration'], ({ nanoseconds }) => nanoseconds),
    overload(['timestamp'], ({ seconds }) => seconds),
    overload(['string'], (text) => parseWhole(text, /^[-+]?\d+$/, minInt, maxInt) ?? cannotConvert('int')),
  ],
  string: [overload(['bytes'], withText, readsFirst), overload(['any'], withText)],
  timestamp: [
    overload(['timestamp'], (value) => value),
    overload(['int'], secondsToTimestamp),
    overload(['string'], toTimestamp),
  ],
  uint: [
    overload(['uint'], (value) => value),
    overload(['int'], (value) => (value >= 0n ? new Uint(value) : overflow('unsigned integer'))),
    overload(['double'], doubleToUint),
    overload(['string'], (text) => {
      const value = parseWhole(text, /^\d+$/, 0n, maxUint);
      return value === undefined ? cannotConvert('uint') : new Uint(value);
    }),
  ],
};

function cannotConvert(to: string): CelEvaluationError {
  return new CelEvaluationError(`type conversion error from 'string' to '${to}'`);
}

function overflow(kind: string): CelEvaluationError {
  return new CelEvaluationError(`${kind} overflow`);
}

function doubleToInt(value: number): CelResult {
  return value > -(2 ** 63) && value < 2 ** 63 ? BigInt(Math.trunc(value)) : overflow('integer');
}

function doubleToUint(value: number): CelResult {
  return value >= 0 && value < 2 ** 64 ? new Uint(BigInt(Math.trunc(value))) : overflow('unsigned integer');
}

function parseWhole(text: string, form: RegExp, min: bigint, max: bigint): bigint | undefined {
  // Longer texts can only be leading zeros, and parsing millions of digits takes long.
  if (!form.test(text) || text.replace(/^[-+]?0*/, '').length > 20) return undefined;
  const value = BigInt(
    text
      .replace(/^\+/, '')
      .replace(/^-0*(?=\d)/, '')
      .replace(/^0+(?=\d)/, ''),
  );
  const signed = text.startsWith('-') ? -value : value;
  return signed >= min && signed <= max ? signed : undefined;
}

function secondsToTimestamp(seconds: bigint): CelResult {
  const timestamp = new Timestamp(seconds * 1_000_000_000n);
  return timestamp.inRange ? timestamp : overflow('timestamp');
}

function toTimestamp(text: string): CelResult {
  const timestamp = parseTimestamp(text);
  if (!timestamp) return cannotConvert('google.protobuf.Timestamp');
  return timestamp.inRange ? timestamp : overflow('timestamp');
}
