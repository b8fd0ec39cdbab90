import type { SelectableField } from 'ots-kubernetes/apiextensions/v1';
import type { Schema } from '../schema/json-schema.ts';
import { type FieldError, duplicate, invalid, required, tooMany } from '../status/field-error.ts';
import { resolveFieldPath } from './resolve-field-path.ts';

const maxFields = 8;
const types = new Set(['string', 'boolean', 'integer']);

/**
 * Validates the selectable fields.
 *
 * @param schema undefined if it is not at the same level as the fields
 */
export function validateSelectableFields(
  fields: readonly SelectableField[],
  schema: Schema | undefined,
  place: string,
): FieldError[] {
  const path = `${place}.selectableFields`;
  if (fields.length === 0) return [];
  if (!schema) {
    const detail =
      place === 'spec'
        ? 'may only be set when validations.schema is included'
        : 'may only be set when `version.schema.openAPIV3Schema` is not included';
    return [invalid(path, '', detail)];
  }
  const known = new Set<string>();
  const errors = fields.flatMap(({ jsonPath }, index) => {
    const field = `${path}[${index}].jsonPath`;
    if (!jsonPath) return [required(field)];
    const found = resolveFieldPath(jsonPath, schema, false);
    if ('problem' in found) return [invalid(field, jsonPath, `is an invalid path: ${found.problem}`)];
    const isKnown = known.has(found.field);
    known.add(found.field);
    return [
      ...(found.root === 'metadata'
        ? [invalid(field, jsonPath, 'must not point to fields in metadata')]
        : []),
      ...(types.has(found.schema?.type ?? '')
        ? []
        : [
            invalid(
              field,
              jsonPath,
              'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.',
            ),
          ]),
      ...(isKnown ? [duplicate(field, jsonPath)] : []),
    ];
  });
  return known.size > maxFields ? [...errors, tooMany(path, known.size, maxFields)] : errors;
}
