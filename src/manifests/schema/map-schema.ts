import type { Schema } from './schema.ts';

/**
 * Rebuilds a schema from its innermost parts outwards.
 * @param change gives a schema, whose parts are rebuilt already, or another in its place
 * @returns the schema; what is shared is rebuilt once, and parts in which nothing changes are the same objects as before
 */
export function mapSchema(root: Schema, change: (schema: Schema) => Schema): Schema {
  const done = new Map<Schema, Schema>();
  return visit(root);

  function visit(schema: Schema): Schema {
    let result = done.get(schema);
    if (!result) {
      result = change(withParts(schema));
      done.set(schema, result);
    }
    return result;
  }

  function withParts(schema: Schema): Schema {
    const { items, additionalProperties, properties } = schema;
    let result = schema;
    if (items && visit(items) !== items) result = { ...result, items: visit(items) };
    if (additionalProperties && visit(additionalProperties) !== additionalProperties)
      result = { ...result, additionalProperties: visit(additionalProperties) };
    if (properties && [...properties.values()].some((property) => visit(property) !== property))
      result = {
        ...result,
        properties: new Map(Array.from(properties, ([name, property]) => [name, visit(property)])),
      };
    return result;
  }
}
