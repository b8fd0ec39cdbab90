import { type FieldError, invalid } from '../../status/field-error.ts';

/** Checks that a number, if present, is within a range. */
export function validateRange(
  field: string,
  value: number | undefined,
  min: number,
  max: number,
): FieldError[] {
  if (value === undefined || (value >= min && value <= max)) return [];
  return [invalid(field, value, `must be between ${min} and ${max}, inclusive`)];
}

/** Checks that a number, if present, is not negative. */
export function validateNonNegative(field: string, value: number | undefined): FieldError[] {
  return value === undefined || value >= 0
    ? []
    : [invalid(field, value, 'must be greater than or equal to 0')];
}

/** Checks that a number is positive. */
export function validatePositive(field: string, value: number): FieldError[] {
  return value > 0 ? [] : [invalid(field, value, 'must be greater than zero')];
}
