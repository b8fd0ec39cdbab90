import { isObject } from './json-object.ts';
import { rebuildJson } from './rebuild-json.ts';
import { type ExactInteger, readInteger } from './exact-integer.ts';

/** A number whose literal JavaScript would not reproduce: `1e3`, `1.0`, 9007199254740993. */
export class JsonNumber {
  readonly literal: string;

  constructor(literal: string) {
    this.literal = literal;
  }
}

/** Whether a value is a JSON number. */
export function isNumber(value: unknown): value is ExactInteger | JsonNumber {
  return typeof value === 'number' || typeof value === 'bigint' || value instanceof JsonNumber;
}

/** The literal of a number as the client sent it. */
export function literalOf(value: ExactInteger | JsonNumber): string {
  return value instanceof JsonNumber ? value.literal : `${value}`;
}

/**
 * Converts a value of `parseExact` to one of `JSON.parse`, except that 64-bit integers stay exact: those a number
 * cannot represent become bigints.
 *
 * @throws {SyntaxError} when it contains a number out of range
 */
export function plainJson(value: unknown): unknown {
  return rebuildJson(value, (old) => {
    if (old instanceof JsonNumber) return plainNumber(old);
    if (Array.isArray(old)) return [...(old as unknown[])];
    // The copy omits the entries of duplicate keys.
    return isObject(old) ? Object.fromEntries(Object.entries(old)) : old;
  });
}

function plainNumber({ literal }: JsonNumber): ExactInteger {
  const number = readInteger(literal) ?? Number(literal);
  if (typeof number === 'bigint' || Number.isFinite(number)) return number;
  throw new SyntaxError(`json: cannot unmarshal number ${literal} into Go value of type float64`);
}
