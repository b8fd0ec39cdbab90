import { type FieldError, notSupported, required } from '../../status/field-error.ts';

/** Validates a value of an enumeration. Messages list the choices in the given order. */
export function validateChoice(
  field: string,
  value: string | undefined,
  choices: readonly string[],
): FieldError[] {
  return choices.includes(value ?? '') ? [] : [notSupported(field, value ?? '', choices)];
}

/** {@link validateChoice} for a required field. */
export function requireChoice(
  field: string,
  value: string | undefined,
  choices: readonly string[],
): FieldError[] {
  return value ? validateChoice(field, value, choices) : [required(field)];
}
