import { jsonSyntaxError } from './json-syntax-error.ts';
import { plainJson } from './json-number.ts';
import { parseExact } from './parse-exact.ts';
import { isTooDeep } from './depth.ts';
import { type JsonScan, scanJson } from './scan-json.ts';
import { stringifyJson } from './stringify-json.ts';

/** A body as a JSON value. 64-bit integers that a number would round are bigints. */
export interface DecodedJson {
  value: unknown;
  /** Paths of duplicate keys; the last value counts. */
  duplicates: string[];
}

/**
 * Parses the text of a body. Bytes that are not UTF-8 must already be replaced, as Go does.
 *
 * @throws {SyntaxError} with Go's message when it is not JSON, is nested too deeply, or contains a number out of
 *   range
 */
export function decodeJson(source: string): DecodedJson {
  const text = wellFormed(source);
  const value = parse(text);
  const { duplicates, hugeNumber, hasLargeIntegers } = unusualIn(text, value);
  if (hugeNumber !== undefined)
    throw new SyntaxError(`json: cannot unmarshal number ${hugeNumber} into Go value of type float64`);
  return { value: hasLargeIntegers ? plainJson(parseExact(text)) : value, duplicates };
}

/**
 * Parses the text of a body for a decoder that knows the types of its fields and can report what is unusual: see
 * `parseExact`.
 *
 * @throws {SyntaxError} with Go's message when it is not JSON, or is nested too deeply
 */
export function decodeExactJson(source: string): unknown {
  const text = wellFormed(source);
  const value = parse(text);
  const { duplicates, hasUnusualNumbers } = unusualIn(text, value);
  return duplicates.length > 0 || hasUnusualNumbers ? parseExact(text) : value;
}

const nothingUnusual: JsonScan = { duplicates: [], hasUnusualNumbers: false, hasLargeIntegers: false };

/**
 * What a parsed value no longer shows. Most bodies are as JavaScript writes them: no key is twice in them, and no number has another
 * form. To write the value again takes much less time than a scan.
 */
function unusualIn(text: string, value: unknown): JsonScan {
  return hasNoLargeIntegers(text) && stringifyJson(value) === text ? nothingUnusual : scanJson(text);
}

/** JavaScript writes an integer that it has rounded, too. Digits in strings do not matter: then the text is scanned. */
function hasNoLargeIntegers(text: string): boolean {
  return !/\d{16}|\de\+/.test(text);
}

/** Checks the depth before it parses anything. */
function parse(text: string): unknown {
  if (isTooDeep(text)) throw new SyntaxError(jsonSyntaxError(text));
  try {
    return JSON.parse(text);
  } catch {
    throw new SyntaxError(jsonSyntaxError(text));
  }
}

/**
 * Replaces unpaired escaped surrogates, as Go does: they are not text.
 *
 * @param text JSON, valid or not
 */
function wellFormed(text: string): string {
  if (!/\\u[dD][89a-fA-F]/.test(text)) return text;
  return text.replaceAll(
    /\\(?:u(?<pair>d[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2})|u(?<half>d[89a-f][0-9a-f]{2})|[^])/gi,
    (escape: string, _pair: unknown, half: unknown) => (half === undefined ? escape : '\\ufffd'),
  );
}
