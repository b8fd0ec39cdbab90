import { type Schema, additionalSchema, itemSchema } from '../schema/json-schema.ts';
import type { FieldError } from '../status/field-error.ts';

/** Checks a schema and every schema of a value inside of its values; alternatives are no values of their own. */
export function walkSchema(
  schema: Schema,
  path: string,
  check: (schema: Schema, path: string) => FieldError[],
): FieldError[] {
  const item = itemSchema(schema);
  const additional = additionalSchema(schema);
  return [
    ...check(schema, path),
    ...(item ? walkSchema(item, `${path}.items`, check) : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
      walkSchema(property, `${path}.properties[${name}]`, check),
    ),
    ...(additional ? walkSchema(additional, `${path}.additionalProperties`, check) : []),
  ];
}
