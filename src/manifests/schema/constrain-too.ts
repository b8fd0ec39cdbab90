import type { Schema } from './schema.ts';

/**
 * Adds a constraint of which a schema has room for one. Where another one stands already, that of the type, both go to allOf and so both hold.
 */
export function constrainToo<Name extends 'pattern' | 'multipleOf'>(
  schema: Schema,
  name: Name,
  value: NonNullable<Schema[Name]>,
): void {
  const constraint = (of: Schema[Name]): Schema => ({ [name]: of });
  const others = schema.allOf ?? [];
  if (schema[name] === value || others.some((other) => other[name] === value)) return;
  if (schema[name] === undefined && !others.some((other) => other[name] !== undefined)) {
    schema[name] = value;
    return;
  }
  const own = schema[name] === undefined ? [] : [constraint(schema[name])];
  schema.allOf = [...others, ...own, constraint(value)];
  delete schema[name];
}
