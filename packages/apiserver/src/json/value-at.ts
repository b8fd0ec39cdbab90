import { type JsonObject, getKey, isObject } from './json-object.ts';

/** The value at a path. Stored objects may lack any field. */
export function at(value: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>((inner, key) => (isObject(inner) ? getKey(inner, key) : undefined), value);
}

export function objectAt(value: unknown, ...path: string[]): JsonObject {
  const found = at(value, ...path);
  return isObject(found) ? found : {};
}

export function listAt(value: unknown, ...path: string[]): unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** A string, or a number as a string; empty if there is neither. */
export function textAt(value: unknown, ...path: string[]): string {
  const found = at(value, ...path);
  return typeof found === 'string' || typeof found === 'number' ? `${found}` : '';
}

export function numberAt(value: unknown, ...path: string[]): number {
  const found = at(value, ...path);
  return typeof found === 'number' ? found : 0;
}
