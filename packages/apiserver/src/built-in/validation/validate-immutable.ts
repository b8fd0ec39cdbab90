import { jsonEqual } from '../../json/json-equal.ts';
import { type FieldError, invalid } from '../../status/field-error.ts';

/** Checks that a field has not changed since its object was created. */
export function validateImmutable(field: string, value: unknown, old: unknown): FieldError[] {
  return jsonEqual(value, old) ? [] : [invalid(field, value ?? null, 'field is immutable')];
}
