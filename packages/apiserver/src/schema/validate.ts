import type { Correlated } from 'ots-cel/correlated';
import type { FieldError } from '../status/field-error.ts';
import { checkChanged, checkValue } from './check-value.ts';
import type { Schema } from './json-schema.ts';
import type { Run } from './run.ts';

const maxPatternSteps = 20_000_000;

/** Options of a validation. */
export interface ValidateOptions {
  /** The path of the value, such as `status`. Messages name paths relative to the value. */
  base?: string;
  /** The value before an update: unchanged parts may stay invalid. */
  change?: Correlated | undefined;
  /** Whether the value is a default, which a real server checks slightly differently. */
  isDefault?: boolean;
}

/**
 * Validates a value against a structural schema. Other modules check rules (`x-kubernetes-validations`), embedded
 * objects and the uniqueness of items.
 *
 * @returns the errors, without duplicates
 */
export function validate(value: unknown, schema: Schema, options: ValidateOptions = {}): FieldError[] {
  const { base = '', change, isDefault = false } = options;
  const run: Run = { base, isDefault, patternSteps: { left: maxPatternSteps }, errors: [] };
  if (change) checkChanged(run, schema, '', change);
  else checkValue(run, value, schema, { path: '' });
  return run.errors.length < 2 ? run.errors : unique(run.errors);
}

function unique(errors: readonly FieldError[]): FieldError[] {
  return [...new Map(errors.map((error) => [`${error.field}: ${error.message}`, error])).values()];
}
