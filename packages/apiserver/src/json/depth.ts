import { isObject } from './json-object.ts';

/**
 * How deep a function that walks a JSON value may recurse: well within Node's stack. Bodies may be nested far
 * deeper (see {@link maxDepth}); the walk defers those parts until the stack is free again.
 */
export const maxRecursion = 400;

/** The maximum nesting depth of bodies and objects: kube-apiserver's limit for JSON and YAML. */
export const maxDepth = 10_000;

/** Whether a text is nested deeper than a body may be. The text need not be JSON: only brackets outside of strings count. */
export function isTooDeep(text: string): boolean {
  // Each level needs a bracket.
  return text.length > maxDepth && jsonDepth(text) > maxDepth;
}

/** The nesting depth of lists and objects in a text, which need not be valid JSON. */
export function jsonDepth(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charCodeAt(index);
    if (character === quote) index = endOfString(text, index);
    else if (character === openBrace || character === openBracket) {
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (character === closeBrace || character === closeBracket) depth -= 1;
  }
  return deepest;
}

const quote = 0x22;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** The index of the quote that ends a string, or of the end of the text. */
function endOfString(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && text.charCodeAt(index) !== quote)
    index += text.charCodeAt(index) === backslash ? 2 : 1;
  return index;
}

/** Whether a JSON value is nested too deeply. Works without recursion, so nesting cannot exhaust the stack. */
export function nestsTooDeep(value: unknown, limit = maxDepth): boolean {
  let level = [value].filter(isContainer);
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth === limit) return true;
    level = level.flatMap(itemsOf);
  }
  return false;
}

function itemsOf(container: object): object[] {
  const items: unknown[] = Array.isArray(container) ? container : Object.values(container);
  return items.filter(isContainer);
}

function isContainer(value: unknown): value is object {
  return Array.isArray(value) || isObject(value);
}
