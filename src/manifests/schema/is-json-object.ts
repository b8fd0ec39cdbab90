import type { Json, JsonObject } from './schema.ts';

/** Whether a JSON value is an object: neither null nor a list. */
export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
