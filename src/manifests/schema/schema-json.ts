import type { Json, Schema } from './schema.ts';

/** A schema as the API server reads it: plain objects, which share the parts that the schema shares. */
export type JsonSchema = { readonly [key: string]: Json };

/**
 * Turns schemas into plain JSON.
 * @returns a function that returns the same object for the same schema
 */
export function schemaToJson(): (schema: Schema) => JsonSchema {
  const done = new Map<Schema, JsonSchema>();
  return toJson;

  function toJson(schema: Schema): JsonSchema {
    const known = done.get(schema);
    if (known) return known;
    const { properties, items, additionalProperties, allOf, ...rest } = schema;
    const json: Record<string, unknown> = { ...rest };
    if (properties)
      json['properties'] = Object.fromEntries(
        Array.from(properties, ([name, value]) => [name, toJson(value)]),
      );
    if (items) json['items'] = toJson(items);
    if (additionalProperties) json['additionalProperties'] = toJson(additionalProperties);
    if (allOf) json['allOf'] = allOf.map(toJson);
    done.set(schema, json as JsonSchema);
    return json as JsonSchema;
  }
}
