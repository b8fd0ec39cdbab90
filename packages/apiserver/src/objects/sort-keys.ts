import { type JsonObject, isObject, setKey } from './json-object.ts';

/** A JSON value whose keys are in order, as messages of a server show those of a map. */
export function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isObject(value)) return value;
  const sorted: JsonObject = {};
  for (const key of Object.keys(value).toSorted()) setKey(sorted, key, sortKeys(value[key]));
  return sorted;
}
