import { maxSchemas, schemaSize } from './schema-size.ts';
import type { Json, Schema } from './schema.ts';

/** What is said about a value, and not what it may be. */
const documentation: ReadonlySet<string> = new Set(['title', 'description', 'externalDocs', 'example']);

/** Whether two schemas allow the same values, according to a comparison part by part. */
export function sameSchema(a: Schema, b: Schema): boolean {
  if (a === b) return true;
  // Parts that are shared can double with every level; what is larger is refused anyway.
  if (schemaSize(a) > maxSchemas || schemaSize(b) > maxSchemas) return false;
  return sameValue(a, b);
}

function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => sameValue(item, b[index]));
  const [left, right] = [partsOf(a), partsOf(b)];
  return (
    left.size === right.size &&
    [...left].every(([key, part]) => right.has(key) && sameValue(part, right.get(key)))
  );
}

/** The properties of a schema without its documentation, or those of a value. */
function partsOf(value: object): ReadonlyMap<string, unknown> {
  if (value instanceof Map) return value as ReadonlyMap<string, Schema>;
  return new Map(Object.entries(value as Record<string, Json>).filter(([key]) => !documentation.has(key)));
}
