import { type JsonObject, isObject, setKey } from './json-object.ts';
import { rebuildJson } from './rebuild-json.ts';

/** A JSON value whose keys are in order, as messages of a server show those of a map. */
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
