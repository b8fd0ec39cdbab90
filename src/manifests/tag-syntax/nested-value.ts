import { isNode, parseDocument } from 'yaml';
import type { Json } from '../schema/schema.ts';
import { parseValue } from './parse-value.ts';

/**
 * Reads an argument that nests: YAML (which includes JSON), or a quoted string of it, as kubebuilder writes
 * it.
 * @throws Error with a message for the author if it is invalid
 */
export function readNested(text: string): Json {
  const value = parseValue(unwrap(text));
  return typeof value === 'string' ? parseValue(value) : value;
}

/**
 * Finds a part of an argument that nests.
 * @param path keys and indices, outermost first
 * @returns where the part is in the text, or undefined if it is unknown
 */
export function findNested(
  text: string,
  path: readonly (string | number)[],
): { from: number; to: number } | undefined {
  const content = unwrap(text);
  const node = parseDocument(content, { logLevel: 'silent' }).getIn(path, true);
  if (!isNode(node) || !node.range) return undefined;
  const shift = content === text ? 0 : 1;
  return { from: node.range[0] + shift, to: node.range[1] + shift };
}

function unwrap(text: string): string {
  return /^`[^]*`$/.test(text) ? text.slice(1, -1) : text;
}
