import { type JsonObject, isObject, setKey } from '../json/json-object.ts';
import { rebuildJson } from '../json/rebuild-json.ts';

/** A value whose maps have no fields that are null. Items of lists stay. */
export function withoutNulls(value: unknown): unknown {
  return rebuildJson(value, (old) => {
    if (Array.isArray(old)) return [...(old as unknown[])];
    return isObject(old) ? fieldsOf(old, (field) => field !== null) : old;
  });
}

/** The fields of an object whose values a condition holds for, as a new object. */
export function fieldsOf(object: JsonObject, isKept: (field: unknown) => boolean): JsonObject {
  const result: JsonObject = {};
  for (const [key, field] of Object.entries(object)) if (isKept(field)) setKey(result, key, field);
  return result;
}
