import { type GoStruct, StrictErrors, decodeTyped } from 'ots-apiserver/decoding';
import { type JsonObject, isObject } from './json.ts';

/**
 * Writes the fields of an object as a Go program does after reading them: without unknown fields and empty values that Go omits, with
 * empty values that Go does not omit.
 *
 * @param strict receives the unknown fields
 * @throws {DecodeError} when a field has the wrong type
 */
export function writeLikeGo(fields: JsonObject, type: GoStruct, strict = new StrictErrors()): JsonObject {
  return withoutDefaults(decodeTyped(fields, type, strict), fields) as JsonObject;
}

/**
 * A server also fills in values such as `protocol: TCP`; a program that only reads and writes does not. It keeps empty lists where Go writes
 * null for none.
 */
function withoutDefaults(value: unknown, source: unknown): unknown {
  if (value === null && Array.isArray(source)) return [];
  if (Array.isArray(value))
    return value.map((item, index) =>
      withoutDefaults(item, Array.isArray(source) ? source[index] : undefined),
    );
  if (!isObject(value)) return value;
  const known = isObject(source) ? source : {};
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, item]) => known[key] !== undefined || typeof item !== 'string' || isZero(item))
      .map(([key, item]) => [key, withoutDefaults(item, known[key])]),
  );
}

/** A text that Go writes for a value that is absent: that of a text, or of a quantity. */
function isZero(text: string): boolean {
  return text === '' || text === '0';
}
