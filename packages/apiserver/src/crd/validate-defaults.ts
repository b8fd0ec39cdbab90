import { applyDefaults } from '../schema/apply-defaults.ts';
import type { Schema } from '../schema/json-schema.ts';
import { prune } from '../schema/prune.ts';
import { validate } from '../schema/validate.ts';
import { type FieldError, invalid } from '../status/field-error.ts';

/** Checks the default of one value: it is valid itself, and has no fields that would be pruned. */
export function validateDefaults(schema: Schema, path: string): FieldError[] {
  if (schema.default === undefined) return [];
  const field = `${path}.default`;
  const pruned: string[] = [];
  // Wrapped, so that the fields of an embedded object are pruned like those of any other.
  prune(
    { value: structuredClone(schema.default) },
    { type: 'object', properties: { value: schema } },
    pruned,
  );
  if (pruned.length > 0) return [invalid(field, schema.default, 'must not have unknown fields')];
  const value: unknown = structuredClone(schema.default);
  applyDefaults(value, schema);
  return validate(value, schema).map((error) => ({
    ...error,
    field: error.field === '' ? field : `${field}.${error.field}`,
  }));
}
