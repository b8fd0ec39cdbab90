import type { Schema } from './schema.ts';

/**
 * Adds a constraint that a schema can hold only once. If the type already has one, both move to allOf and
 * apply together.
 */
export function addConstraint<Name extends 'pattern' | 'multipleOf'>(
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
