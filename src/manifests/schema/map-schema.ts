import type { Schema } from './schema.ts';

/**
 * Rebuilds a schema bottom-up.
 * @param change returns the schema it receives, or its replacement; the parts are already rebuilt
 * @returns the schema; shared parts are rebuilt once, and unchanged parts are the same objects as before
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
