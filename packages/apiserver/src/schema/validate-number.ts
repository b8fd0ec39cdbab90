import { formatDouble } from 'ots-apimachinery/go/format-double';
import { type ExactInteger, isInt32, isInteger, readInteger } from '../json/exact-integer.ts';
import { fieldPath, invalid } from '../status/field-error.ts';
import { isNearlyWhole } from './check-type.ts';
import type { Run } from './run.ts';
import type { Schema } from './json-schema.ts';

/**
 * Checks the range, the bounds and the divisor of a number.
 *
 * @returns the number of checks
 */
export function validateNumber(run: Run, value: ExactInteger, schema: Schema, path: string): number {
  const inRange = (number: ExactInteger, what: string) => checkRange(run, number, schema, path, what);
  inRange(value, 'Checked');
  const { multipleOf, maximum, minimum } = schema;
  // Bounds of another type than the value are compared as floats.
  if (multipleOf !== undefined)
    checkMultiple(run, value, multipleOf, path, inRange(multipleOf, 'MultipleOf') && isInteger(value));
  if (maximum !== undefined) {
    const whole = inRange(maximum, 'Maximum boundary') && isInteger(value);
    const limit = whole ? wholeOf(maximum) : maximum;
    const isExclusive = schema.exclusiveMaximum === true;
    if (isExclusive ? value >= limit : value > limit)
      fail(run, path, value, `less than ${isExclusive ? '' : 'or equal to '}${shown(limit)}`);
  }
  if (minimum !== undefined) {
    const whole = inRange(minimum, 'Minimum boundary') && isInteger(value);
    const limit = whole ? wholeOf(minimum) : minimum;
    const isExclusive = schema.exclusiveMinimum === true;
    if (isExclusive ? value <= limit : value < limit)
      fail(run, path, value, `greater than ${isExclusive ? '' : 'or equal to '}${shown(limit)}`);
  }
  return 1;
}

/** Whether a number fits the type and format of its schema. */
function checkRange(
  run: Run,
  value: ExactInteger,
  { type, format }: Schema,
  path: string,
  what: string,
): boolean {
  if (type === 'integer') {
    // A float is parsed from its shortest digits.
    const integer = readInteger(`${value}`);
    if (format === 'int32' ? isInt32(integer) : integer !== undefined) return true;
    const known = format === 'int32' || format === 'int64' ? `with format ${format}` : '(default format)';
    note(run, `${what} value must be of type integer ${known} in ${path}`);
    return false;
  }
  if (type !== 'number' || format !== 'float' || Number.isFinite(Math.fround(Number(value)))) return true;
  note(run, `${what} value must be of type number with format float in ${path}`);
  return false;
}

/** A real server truncates the divisor of an integer. */
function checkMultiple(
  run: Run,
  value: ExactInteger,
  multipleOf: number,
  path: string,
  whole: boolean,
): void {
  const factor = whole ? wholeOf(multipleOf) : multipleOf;
  const field = fieldPath(run.base, path);
  if (factor <= 0) {
    const message = `factor MultipleOf declared for ${path} must be positive: ${shown(factor)}`;
    run.errors.push(invalid(field, factor, message));
    return;
  }
  if (isMultiple(value, factor)) return;
  run.errors.push(invalid(field, value, `${path} in body should be a multiple of ${shown(factor)}`));
}

function isMultiple(value: ExactInteger, factor: number | bigint): boolean {
  if (typeof factor === 'bigint') return BigInt(value) % factor === 0n;
  return isNearlyWhole(factor < 1 ? (1 / factor) * Number(value) : Number(value) / factor);
}

/** A bound as a real server compares it with an integer: truncated. */
function wholeOf(bound: number): bigint {
  return BigInt(Math.trunc(bound));
}

function shown(limit: number | bigint): string {
  return typeof limit === 'bigint' ? `${limit}` : formatDouble(limit);
}

function note(run: Run, message: string): void {
  run.errors.push(invalid(fieldPath(run.base, ''), '', message));
}

function fail(run: Run, path: string, value: ExactInteger, detail: string): void {
  run.errors.push(invalid(fieldPath(run.base, path), value, `${path} in body should be ${detail}`));
}
