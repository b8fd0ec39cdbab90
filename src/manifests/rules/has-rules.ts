import type { Schema } from '../schema/schema.ts';

const known = new WeakMap<Schema, boolean>();

/** Returns whether a schema, or a part of it, has validation rules. */
export function hasRules(schema: Schema): boolean {
  let has = known.get(schema);
  if (has === undefined) {
    const children = [...(schema.properties?.values() ?? []), schema.items, schema.additionalProperties];
    has =
      schema['x-kubernetes-validations'] !== undefined ||
      children.some((child) => child !== undefined && hasRules(child));
    known.set(schema, has);
  }
  return has;
}
