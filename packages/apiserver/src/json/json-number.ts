import { isObject } from './json-object.ts';
import { rebuildJson } from './rebuild-json.ts';
import { type ExactInteger, readInteger } from './exact-integer.ts';

/** A number that JavaScript would not write as it was sent: `1e3`, `1.0`, 9007199254740993. */
export class JsonNumber {
  readonly literal: string;

  constructor(literal: string) {
    this.literal = literal;
  }
}

/** Whether a value is a number of JSON. */
export function isNumber(value: unknown): value is ExactInteger | JsonNumber {
  return typeof value === 'number' || typeof value === 'bigint' || value instanceof JsonNumber;
}

/** A number as it was sent. */
export function literalOf(value: ExactInteger | JsonNumber): string {
  return value instanceof JsonNumber ? value.literal : `${value}`;
}

/**
 * Makes a value of `parseExact` one of `JSON.parse`, but for integers of 64 bits: those that a number cannot hold are bigints.
 *
 * @throws {SyntaxError} when it holds a number that none here can be
 */
export function plainJson(value: unknown): unknown {
  return rebuildJson(value, (old) => {
    if (old instanceof JsonNumber) return plainNumber(old);
    if (Array.isArray(old)) return [...(old as unknown[])];
    // The entries of a key that is there twice do not belong to the copy.
    return isObject(old) ? Object.fromEntries(Object.entries(old)) : old;
  });
}

function plainNumber({ literal }: JsonNumber): ExactInteger {
  const number = readInteger(literal) ?? Number(literal);
  if (typeof number === 'bigint' || Number.isFinite(number)) return number;
  throw new SyntaxError(`json: cannot unmarshal number ${literal} into Go value of type float64`);
}
