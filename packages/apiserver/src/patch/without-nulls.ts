import { type JsonObject, isObject, setKey } from '../objects/json-object.ts';

/** A value whose maps have no fields that are null. Items of lists stay. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  return mapFields(value, (field) => (field === null ? undefined : withoutNulls(field)));
}

/** An object with other values; without the fields that become undefined. */
export function mapFields(object: JsonObject, change: (field: unknown) => unknown): JsonObject {
  const result: JsonObject = {};
  for (const [key, field] of Object.entries(object)) {
    const changed = change(field);
    if (changed !== undefined) setKey(result, key, changed);
  }
  return result;
}
