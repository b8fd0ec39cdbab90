import { type JsonObject, isObject, setKey } from './json-object.ts';
import { rebuildJson } from './rebuild-json.ts';

/** A JSON value with sorted keys, as a server's messages show maps. */
export function sortKeys(value: unknown): unknown {
  return rebuildJson(value, (old) => {
    if (Array.isArray(old)) return [...(old as unknown[])];
    return isObject(old) ? sorted(old) : old;
  });
}

function sorted(object: JsonObject): JsonObject {
  const copy: JsonObject = {};
  for (const key of Object.keys(object).toSorted()) setKey(copy, key, object[key]);
  return copy;
}
