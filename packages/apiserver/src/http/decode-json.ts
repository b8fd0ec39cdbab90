import { scanJson } from '../json/scan-json.ts';

/** How deep a body may be nested: far beyond any real object, and well within the stack of every function that walks one. */
const depthLimit = 1000;

/** A body as a JSON value. */
export interface DecodedJson {
  value: unknown;
  /** Paths of keys that an object had twice; the last one counts. */
  duplicates: string[];
}

/**
 * Parses the text of a body. Bytes that are no UTF-8 were replaced before, as Go does.
 *
 * @throws {SyntaxError} when it is no JSON, is nested too deeply, or holds a number that is none here
 */
export function decodeJson(source: string): DecodedJson {
  const value: unknown = JSON.parse(source);
  const { duplicates, depth, hugeNumber } = scanJson(source);
  if (depth > depthLimit) throw new SyntaxError('exceeded max depth');
  if (hugeNumber !== undefined)
    throw new SyntaxError(`json: cannot unmarshal number ${hugeNumber} into Go value of type float64`);
  return { value, duplicates };
}
