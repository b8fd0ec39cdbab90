import type { Schema } from '../../src/manifests/schema/schema.ts';

/** The schema in memory for one that is written as JSON. */
export function schemaFromJson(json: any): Schema {
  const { properties, items, additionalProperties, allOf, ...rest } = json;
  const schema: Schema = { ...rest };
  if (properties)
    schema.properties = new Map(
      Object.entries(properties).map(([name, value]) => [name, schemaFromJson(value)]),
    );
  if (items) schema.items = schemaFromJson(items);
  if (additionalProperties) schema.additionalProperties = schemaFromJson(additionalProperties);
  if (allOf) schema.allOf = allOf.map(schemaFromJson);
  return schema;
}
