import { DecodeError, StrictErrors, goTypeOfKind } from 'ots-apiserver/decoding';
import { OtsError } from '../../errors/ots-error.ts';
import { oneLine } from '../../output/one-line.ts';
import type { JsonObject } from '../bundle/json.ts';
import { writeLikeGo } from '../bundle/write-like-go.ts';
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
    const written = writeLikeGo(fields, type, strict);
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
