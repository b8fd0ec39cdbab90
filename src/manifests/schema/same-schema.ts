import { maxSchemas, schemaSize } from './schema-size.ts';
import type { Json, Schema } from './schema.ts';

/** The keywords that document a value but do not constrain it. */
const documentation: ReadonlySet<string> = new Set(['title', 'description', 'externalDocs', 'example']);

/** Returns whether two schemas allow the same values, by comparing them keyword by keyword. */
export function sameSchema(a: Schema, b: Schema): boolean {
  if (a === b) return true;
  // Shared parts can double with every level. Larger schemas are rejected anyway.
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

/** Returns the keywords of a schema without its documentation, or the properties of a value. */
function partsOf(value: object): ReadonlyMap<string, unknown> {
  if (value instanceof Map) return value as ReadonlyMap<string, Schema>;
  return new Map(Object.entries(value as Record<string, Json>).filter(([key]) => !documentation.has(key)));
}
