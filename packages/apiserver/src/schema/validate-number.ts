import { type FieldError, invalid, typeInvalid } from '../status/field-error.ts';
import type { Schema } from './json-schema.ts';

/** Checks the bounds, the divisor and the format of a number. */
export function validateNumber(value: number, schema: Schema, path: string): FieldError[] {
  return [
    ...checkIntegerFormat(value, schema, path),
    ...checkMultiple(value, schema, path),
    ...checkBounds(value, schema, path),
  ];
}

function checkIntegerFormat(value: number, { type, format }: Schema, path: string): FieldError[] {
  if (type !== 'integer') return [];
  const bits = format === 'int32' ? 31 : 63;
  if (value >= -(2 ** bits) && value < 2 ** bits) return [];
  const shown = format === undefined ? '(default format)' : `with format ${format}`;
  const note = invalid('<nil>', '', `Checked value must be of type integer ${shown} in ${path}`);
  // Beyond 64 bits a server sees no integer any more.
  if (Math.abs(value) < 2 ** 63) return [note];
  return [
    typeInvalid(path, 'float64', `${path} in body must be of type ${format ?? 'integer'}: "float64"`),
    note,
  ];
}

/** A real server cuts the divisor of a whole number down to a whole number. */
function checkMultiple(value: number, { multipleOf }: Schema, path: string): FieldError[] {
  if (multipleOf === undefined) return [];
  const factor = Number.isInteger(value) ? Math.trunc(multipleOf) : multipleOf;
  if (factor <= 0)
    return [invalid(path, factor, `factor MultipleOf declared for ${path} must be positive: ${factor}`)];
  if (Number.isInteger(value / factor)) return [];
  return [invalid(path, value, `${path} in body should be a multiple of ${multipleOf}`)];
}

function checkBounds(value: number, schema: Schema, path: string): FieldError[] {
  const { minimum, maximum } = schema;
  const errors: FieldError[] = [];
  const fail = (detail: string) => errors.push(invalid(path, value, `${path} in body should be ${detail}`));
  if (maximum !== undefined) {
    if (schema.exclusiveMaximum ? value >= maximum : value > maximum) {
      fail(`less than ${schema.exclusiveMaximum ? '' : 'or equal to '}${maximum}`);
    }
  }
  if (minimum !== undefined) {
    if (schema.exclusiveMinimum ? value <= minimum : value < minimum) {
      fail(`greater than ${schema.exclusiveMinimum ? '' : 'or equal to '}${minimum}`);
    }
  }
  return errors;
}
