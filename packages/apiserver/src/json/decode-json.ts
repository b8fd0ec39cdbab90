import { jsonSyntaxError } from './json-syntax-error.ts';
import { plainJson } from './json-number.ts';
import { parseExact } from './parse-exact.ts';
import { isTooDeep } from './json-depth.ts';
import { scanJson } from './scan-json.ts';
import { wellFormed } from './well-formed.ts';

/** A body as a JSON value; integers of 64 bits that a number would round are bigints. */
export interface DecodedJson {
  value: unknown;
  /** Paths of keys that an object had twice; the last one counts. */
  duplicates: string[];
}

/**
 * Parses the text of a body. Bytes that are no UTF-8 were replaced before, as Go does.
 *
 * @throws {SyntaxError} with Go's message when it is no JSON, is nested too deeply, or holds a number that is none here
 */
export function decodeJson(source: string): DecodedJson {
  const text = wellFormed(source);
  const value = parse(text);
  const { duplicates, hugeNumber, hasLargeIntegers } = scanJson(text);
  if (hugeNumber !== undefined)
    throw new SyntaxError(`json: cannot unmarshal number ${hugeNumber} into Go value of type float64`);
  return { value: hasLargeIntegers ? plainJson(parseExact(text)) : value, duplicates };
}

/**
 * Parses the text of a body for a reader that knows the types of its fields, and so can tell what is odd: see `parseExact`.
 *
 * @throws {SyntaxError} with Go's message when it is no JSON, or is nested too deeply
 */
export function decodeExactJson(source: string): unknown {
  const text = wellFormed(source);
  const value = parse(text);
  const { duplicates, hasOddNumbers } = scanJson(text);
  return duplicates.length > 0 || hasOddNumbers ? parseExact(text) : value;
}

/** The depth is known before anything is made of the text. */
function parse(text: string): unknown {
  if (isTooDeep(text)) throw new SyntaxError(jsonSyntaxError(text));
  try {
    return JSON.parse(text);
  } catch {
    throw new SyntaxError(jsonSyntaxError(text));
  }
}
