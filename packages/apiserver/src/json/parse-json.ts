import { plainJson } from './json-number.ts';
import { parseExact } from './parse-exact.ts';

/**
 * `JSON.parse` without rounding 64-bit integers: those that a number cannot represent are bigints.
 *
 * @throws {SyntaxError} when it is not JSON
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return /\d{16}/.test(text) ? plainJson(parseExact(text)) : value;
}
