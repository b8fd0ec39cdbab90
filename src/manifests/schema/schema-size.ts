import type { Schema } from './schema.ts';

/** A CRD of more schemas than this is larger than etcd stores. */
export const maxSchemas = 20_000;

const sizes = new WeakMap<Schema, number>();

/** How many schemas a schema consists of once shared parts are written out; these can double with every level. */
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

/** The limit bounds every recursion over types and schemas; real ones are less deep. */
export const maxDepth = 100;
