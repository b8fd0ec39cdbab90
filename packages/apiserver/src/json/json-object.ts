/** A JSON object with untrusted keys: any string is possible, including `__proto__` and `constructor`. */
export type JsonObject = Record<string, unknown>;

/** Whether a JSON value is an object (not null, not a list). */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads an own key and ignores inherited ones, such as `constructor`. */
export function getKey(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Sets a key as data. Plain assignment to `__proto__` would change the object's prototype. */
export function setKey(object: JsonObject, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    object[key] = value;
  }
}
