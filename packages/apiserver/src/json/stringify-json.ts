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
