import { plainJson } from './json-number.ts';
import { parseExact } from './parse-exact.ts';

/**
 * `JSON.parse` that does not round integers of 64 bits: those that a number cannot hold are bigints.
 *
 * @throws {SyntaxError} when it is no JSON
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return /\d{16}/.test(text) ? plainJson(parseExact(text)) : value;
}
