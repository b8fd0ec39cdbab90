import { isMap, isNode, isScalar, parseDocument } from 'yaml';
import { OtsError } from '../../errors/ots-error.ts';
import { lineEndingOf } from './line-ending.ts';

/**
 * Adds the entries that an object in a JSON file lacks, after its last one. The rest of the text stays as it is.
 *
 * @param path names the file in errors
 * @param key key of the object at the top level
 * @throws OtsError `INVALID_JSON` if the file has no such object
 */
export function addToJsonObject(
  text: string,
  path: string,
  key: string,
  entries: Readonly<Record<string, string>>,
): string {
  const object = objectAt(text, key);
  if (!object) {
    throw new OtsError('INVALID_JSON', `${path} has no object "${key}"`, {
      hint: `Add "${key}": {} to ${path} and run the command again.`,
    });
  }
  const missing = Object.entries(entries).filter(([name]) => !object.names.has(name));
  if (missing.length === 0) return text;
  const eol = lineEndingOf(text);
  const lines = missing.map(
    ([name, value]) => `${eol}${object.indent}${JSON.stringify(name)}: ${JSON.stringify(value)}`,
  );
  const { end } = object;
  if (end !== undefined) return `${text.slice(0, end)},${lines.join(',')}${text.slice(end)}`;
  const { start } = object;
  const closing = text.indexOf('}', start);
  return `${text.slice(0, start)}${lines.join(',')}${eol}${object.indent.slice(2)}${text.slice(closing)}`;
}

interface JsonObjectPlace {
  readonly names: ReadonlySet<string>;
  /** The offset after the opening brace. */
  readonly start: number;
  /** The offset after the last value; undefined if there is none. */
  readonly end: number | undefined;
  readonly indent: string;
}

/** JSON is YAML, whose parser knows where everything is. */
function objectAt(text: string, key: string): JsonObjectPlace | undefined {
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  const root = parseDocument(text).contents;
  const object = isMap(root) ? root.get(key, true) : undefined;
  if (!isMap(object) || !object.range) return undefined;
  const last = object.items.at(-1);
  const end = isNode(last?.value) ? last.value.range?.[1] : undefined;
  const line = isNode(last?.key) ? (last.key.range?.[0] ?? 0) : 0;
  const indent = /[ \t]*$/.exec(text.slice(0, line))?.[0] || '    ';
  const names = object.items.map((pair) => String(isScalar(pair.key) ? pair.key.value : pair.key));
  return { names: new Set(names), start: object.range[0] + 1, end, indent };
}
