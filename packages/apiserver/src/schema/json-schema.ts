import type { JSONSchemaProps } from 'ots-kubernetes/apiextensions/v1';

/** A structural schema: how a CustomResourceDefinition describes a value. */
export type Schema = JSONSchemaProps;

/** The schema of the values of a map without named properties, or of list items: `true` for anything. */
export function additionalSchema(schema: Schema): Schema | undefined {
  const { additionalProperties } = schema;
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

/** The schema of the items of a list. */
export function itemSchema({ items }: Schema): Schema | undefined {
  return items !== undefined && !Array.isArray(items) ? items : undefined;
}

/** The schema of one property, named or not. */
export function propertySchema(schema: Schema, name: string): Schema | undefined {
  const { properties } = schema;
  if (properties && Object.hasOwn(properties, name)) return properties[name];
  return additionalSchema(schema);
}
