import { isObject, setKey } from './json-object.ts';

/** A copy of a JSON value that shares nothing with it. Several times as fast as structuredClone, which can do more. */
export function cloneJson<T>(value: T): T;
export function cloneJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(cloneJson);
  if (!isObject(value)) return value;
  const copy = {};
  for (const key of Object.keys(value)) setKey(copy, key, cloneJson(value[key]));
  return copy;
}
