/** A JSON object whose keys come from outside: any string is possible, `__proto__` and `constructor` too. */
export type JsonObject = Record<string, unknown>;

/** Tells whether a JSON value is an object (not null, not a list). */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads an own key; what every object inherits (`constructor`) is no key of it. */
export function getKey(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Writes a key as data, where plain assignment to `__proto__` would change the object's prototype. */
export function setKey(object: JsonObject, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    object[key] = value;
  }
}
