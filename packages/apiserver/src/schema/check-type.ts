import { goQuote } from 'ots-apimachinery/go/go-quote';
import { knownFormat } from 'ots-apimachinery/formats/formats';
import { isInteger } from '../json/exact-integer.ts';
import { isNumber } from '../json/json-number.ts';
import { fieldPath, typeInvalid } from '../status/field-error.ts';
import type { Run } from './run.ts';
import type { Schema } from './json-schema.ts';

/** The types that a schema allows: two for an integer or a string. */
function typesOf(schema: Schema, { isDefault }: Run): readonly string[] {
  if (schema['x-kubernetes-int-or-string'] === true && !isDefault) return intOrString;
  return schema.type ? [schema.type] : [];
}

/** Formats without effect are removed from the schema that validates objects, but not from that for defaults. */
function formatOf(schema: Schema, { isDefault }: Run): string | undefined {
  return isDefault ? schema.format || undefined : knownFormat(schema);
}

const intOrString = ['integer', 'string'];

/**
 * Checks the type of a value.
 *
 * @returns 1 if it matches, 0 if not, -1 if the schema does not specify one
 */
export function checkType(run: Run, value: unknown, schema: Schema, path: string): number {
  const types = typesOf(schema, run);
  const format = formatOf(schema, run);
  if (types.length === 0 && format === undefined) return -1;
  if (value === null) {
    if (types.length === 0 || schema.nullable === true) return 1;
    return mismatch(run, path, types.join(','), 'null');
  }
  const { type, format: ownFormat } = typeOf(value);
  const fits =
    types.includes(type) ||
    (type === 'integer' && types.includes('number')) ||
    (type === 'number' && types.includes('integer') && isNearlyWhole(Number(value)));
  const isText = type === 'string' || type === 'array';
  if (format !== undefined && !isText && !fits && ownFormat !== format)
    return mismatch(run, path, format, ownFormat);
  // A real server leaves strings to the format check, and ignores lists there.
  const isNumeric = types.includes('number') || types.includes('integer');
  if (format !== undefined && isText && !isNumeric) return 1;
  return fits ? 1 : mismatch(run, path, types.join(','), type);
}

function mismatch(run: Run, path: string, expected: string, actual: string): number {
  const detail = `${path} in body must be of type ${expected}: ${goQuote(actual)}`;
  run.errors.push(typeInvalid(fieldPath(run.base, path), actual, detail));
  return 0;
}

/** The JSON type of a value, and the implied format of a number. */
function typeOf(value: unknown): { type: string; format: string } {
  if (Array.isArray(value)) return { type: 'array', format: '' };
  if (isNumber(value))
    return isInteger(value) ? { type: 'integer', format: 'int64' } : { type: 'number', format: 'float64' };
  return { type: typeof value, format: '' };
}

/** A number within a billionth of an integer counts as one. */
export function isNearlyWhole(value: number): boolean {
  if (!(Math.abs(value) <= Number.MAX_SAFE_INTEGER)) return false;
  const whole = Math.trunc(value);
  if (whole === value) return true;
  if (whole === 0) return false;
  return Math.abs(value - whole) / (Math.abs(value) + Math.abs(whole)) < 1e-9;
}
