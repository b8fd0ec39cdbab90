import type { Schema } from './schema.ts';

/** The maximum number of schemas in a CRD. A larger CRD does not fit into etcd. */
export const maxSchemas = 20_000;

const sizes = new WeakMap<Schema, number>();

/** Counts the schemas in a schema with shared parts written out, which can double with every level. */
export function schemaSize(schema: Schema): number {
  const known = sizes.get(schema);
  if (known !== undefined) return known;
  let size = 1;
  if (schema.items) size += schemaSize(schema.items);
  if (schema.additionalProperties) size += schemaSize(schema.additionalProperties);
  for (const property of schema.properties?.values() ?? []) size += schemaSize(property);
  sizes.set(schema, size);
  return size;
}

/** Bounds every recursion over types and schemas. Real ones are less deep. */
export const maxDepth = 100;
