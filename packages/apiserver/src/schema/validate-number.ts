import { formatDouble } from 'ots-cel/format-double';
import { fieldPath, invalid } from '../status/field-error.ts';
import { isInt64, isNearlyWhole } from './check-type.ts';
import type { Run } from './run.ts';
import type { Schema } from './json-schema.ts';

/**
 * Checks the range, the bounds and the divisor of a number.
 *
 * @returns how many checks were made
 */
export function validateNumber(run: Run, value: number, schema: Schema, path: string): number {
  const inRange = (number: number, what: string) => checkRange(run, number, schema, path, what);
  inRange(value, 'Checked');
  const { multipleOf, maximum, minimum } = schema;
  // Bounds of another type than the value are compared as fractions.
  if (multipleOf !== undefined)
    checkMultiple(run, value, multipleOf, path, inRange(multipleOf, 'MultipleOf') && isInt64(value));
  if (maximum !== undefined) {
    const whole = inRange(maximum, 'Maximum boundary') && isInt64(value);
    const limit = whole ? Math.trunc(maximum) : maximum;
    const isExclusive = schema.exclusiveMaximum === true;
    if (isExclusive ? value >= limit : value > limit)
      fail(run, path, value, `less than ${isExclusive ? '' : 'or equal to '}${shown(limit, whole)}`);
  }
  if (minimum !== undefined) {
    const whole = inRange(minimum, 'Minimum boundary') && isInt64(value);
    const limit = whole ? Math.trunc(minimum) : minimum;
    const isExclusive = schema.exclusiveMinimum === true;
    if (isExclusive ? value <= limit : value < limit)
      fail(run, path, value, `greater than ${isExclusive ? '' : 'or equal to '}${shown(limit, whole)}`);
  }
  return 1;
}

/** Whether a number can be held by the type and format of its schema. */
function checkRange(run: Run, value: number, { type, format }: Schema, path: string, what: string): boolean {
  if (type === 'integer') {
    const bits = format === 'int32' ? 31 : 63;
    if (Number.isInteger(value) && value >= -(2 ** bits) && value < 2 ** bits) return true;
    const known = format === 'int32' || format === 'int64' ? `with format ${format}` : '(default format)';
    note(run, `${what} value must be of type integer ${known} in ${path}`);
    return false;
  }
  if (type !== 'number' || format !== 'float' || Number.isFinite(Math.fround(value))) return true;
  note(run, `${what} value must be of type number with format float in ${path}`);
  return false;
}

/** A real server cuts the divisor of a whole number down to a whole number. */
function checkMultiple(run: Run, value: number, multipleOf: number, path: string, whole: boolean): void {
  const factor = whole ? Math.trunc(multipleOf) : multipleOf;
  const field = fieldPath(run.base, path);
  if (factor <= 0) {
    const message = `factor MultipleOf declared for ${path} must be positive: ${shown(factor, whole)}`;
    run.errors.push(invalid(field, factor, message));
    return;
  }
  const times = factor < 1 ? (1 / factor) * value : value / factor;
  if (whole ? value % factor === 0 : isNearlyWhole(times)) return;
  run.errors.push(invalid(field, value, `${path} in body should be a multiple of ${shown(factor, whole)}`));
}

function shown(limit: number, whole: boolean): string {
  return whole ? `${limit}` : formatDouble(limit);
}

function note(run: Run, message: string): void {
  run.errors.push(invalid(fieldPath(run.base, ''), '', message));
}

function fail(run: Run, path: string, value: number, detail: string): void {
  run.errors.push(invalid(fieldPath(run.base, path), value, `${path} in body should be ${detail}`));
}
