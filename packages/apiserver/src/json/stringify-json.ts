import type { JsonObject } from './json-object.ts';
import { printTree } from './print-tree.ts';

/** `JSON.stringify` for JSON values of any depth that may contain bigints, which it writes as numbers. */
export function stringifyJson(value: unknown, indent = 0): string {
  try {
    return JSON.stringify(value, undefined, indent);
  } catch (error) {
    // Few values contain a bigint or exceed the stack, and checking first would slow down all others.
    if (error instanceof TypeError || isStackOverflow(error)) return write(value, indent);
    throw error;
  }
}

/** A text that is too long also throws a RangeError. */
function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && error.message.includes('call stack');
}

function write(value: unknown, indent: number): string {
  return printTree(value, {
    list: ['[', ']'],
    map: ['{', '}'],
    separator: ',',
    keysOf: presentKeys,
    key: (key) => `${JSON.stringify(key)}${indent === 0 ? ':' : ': '}`,
    scalar: (scalar) => (typeof scalar === 'bigint' ? `${scalar}` : (JSON.stringify(scalar) ?? 'null')),
    indent,
  });
}

function presentKeys(object: JsonObject): string[] {
  return Object.keys(object).filter((key) => object[key] !== undefined);
}

/** Each text lives as long as its object. */
const texts = new WeakMap<object, string>();

/** The JSON text of an object that no longer changes. Computed once and shared by answers, lists and watches. */
export function jsonTextOf(object: object): string {
  let text = texts.get(object);
  if (text === undefined) texts.set(object, (text = stringifyJson(object)));
  return text;
}
