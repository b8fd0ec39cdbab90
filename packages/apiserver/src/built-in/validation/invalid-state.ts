import type { FieldError } from '../../status/field-error.ts';

/** A field that conflicts with others: its own value is not shown. */
export function invalidState(field: string, detail: string): FieldError {
  return { reason: 'FieldValueInvalid', field, message: `Invalid value: ${detail}` };
}
