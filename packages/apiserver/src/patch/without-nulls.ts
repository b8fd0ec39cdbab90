import { type JsonObject, isObject, setKey } from '../json/json-object.ts';
import { rebuildJson } from '../json/rebuild-json.ts';

/** A value without the null fields of its maps. List items stay. */
export function withoutNulls(value: unknown): unknown {
  return rebuildJson(value, (old) => {
    if (Array.isArray(old)) return [...(old as unknown[])];
    return isObject(old) ? fieldsOf(old, (field) => field !== null) : old;
  });
}

/** A new object with the fields whose values meet a condition. */
export function fieldsOf(object: JsonObject, isKept: (field: unknown) => boolean): JsonObject {
  const result: JsonObject = {};
  for (const [key, field] of Object.entries(object)) if (isKept(field)) setKey(result, key, field);
  return result;
}
