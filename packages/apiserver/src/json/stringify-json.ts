import type { JsonObject } from './json-object.ts';
import { printTree } from './print-tree.ts';

/** `JSON.stringify` of a JSON value that may hold bigints, which are written as the numbers that they are, at any depth. */
export function stringifyJson(value: unknown, indent = 0): string {
  try {
    return JSON.stringify(value, undefined, indent);
  } catch (error) {
    // Few values hold a bigint or are nested deeper than the stack bears, and looking for it would slow down all others.
    if (error instanceof TypeError || isStackOverflow(error)) return write(value, indent);
    throw error;
  }
}

/** A text that is too long is a RangeError, too. */
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
