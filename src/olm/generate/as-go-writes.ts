import { DecodeError, StrictErrors, decodeTyped, goTypeOfKind } from 'ots-apiserver/decoding';
import { OtsError } from '../../errors/ots-error.ts';
import { oneLine } from '../../output/one-line.ts';
import { type JsonObject, isObject } from '../bundle/json.ts';
import { type InputObject, nameOf } from './input-object.ts';

/** An object as a Go program writes it after reading it. */
export interface Written {
  readonly object: JsonObject;
  /** What its type does not have, such as `unknown field "spec.foo"`. */
  readonly problems: readonly string[];
}

/**
 * Writes an object of a built-in kind as Go programs such as operator-sdk do: without unknown fields and empty values that Go omits,
 * with empty values that Go does not omit. Objects of other kinds stay as they are.
 *
 * @throws OtsError `INVALID_OBJECT` when a field has the wrong type
 */
export function asGoWrites(input: InputObject): Written {
  const { object, group, version, kind } = input;
  const type = goTypeOfKind(group, version, kind);
  if (!type) return { object, problems: [] };
  try {
    const strict = new StrictErrors();
    const { apiVersion, kind: _, ...fields } = object;
    const written = withoutDefaults(decodeTyped(fields, type, strict), fields) as JsonObject;
    return { object: { apiVersion, kind, ...written }, problems: strict.messages };
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw new OtsError(
      'INVALID_OBJECT',
      `${oneLine(nameOf(input))} (${oneLine(input.source)}) is not valid: ${oneLine(error.message)}`,
      { hint: 'Correct the type of the field.' },
    );
  }
}

/** A server also fills in values such as `protocol: TCP`; a program that only reads and writes does not. */
function withoutDefaults(value: unknown, source: unknown): unknown {
  if (Array.isArray(value))
    return value.map((item, index) =>
      withoutDefaults(item, Array.isArray(source) ? source[index] : undefined),
    );
  if (!isObject(value)) return value;
  const known = isObject(source) ? source : {};
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, item]) => known[key] !== undefined || typeof item !== 'string' || item === '')
      .map(([key, item]) => [key, withoutDefaults(item, known[key])]),
  );
}
