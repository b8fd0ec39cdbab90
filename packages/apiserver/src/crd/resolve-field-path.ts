import { type Schema, additionalSchema } from '../schema/json-schema.ts';

/** The target of a path in a definition, or why it has none. */
export type ResolvedFieldPath =
  | { field: string; root: string; schema: Schema | undefined }
  | { problem: string };

const token = /'[^]*?(?<!\\)'|[.[\]]|[^.[\]]+/g;
const escapes = new Map([
  ['a', '\u0007'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
  ["'", "'"],
  ['\\', '\\'],
]);
const noSuchField = 'does not refer to a valid field';
const ended = 'unexpected end of JSON path';

/**
 * Resolves a simple JSON path of fields and map keys (`.spec.labels['a.b']`) in a schema.
 *
 * @param allowsBrackets whether names may be in brackets
 * @returns `field`: the path as errors write it; `root`: its first name
 */
export function resolveFieldPath(path: string, schema: Schema, allowsBrackets = true): ResolvedFieldPath {
  const tokens = path.match(token) ?? [];
  let [field, root] = ['', ''];
  let at: Schema | undefined = schema;
  for (let index = 0; index < tokens.length;) {
    const step = readStep(tokens, index, allowsBrackets);
    if ('problem' in step) return step;
    const next = descend(at, step.name);
    if (!next) return { problem: noSuchField };
    field += next.isKey ? `[${step.name}]` : field === '' ? step.name : `.${step.name}`;
    root ||= step.name;
    at = next.schema;
    index += step.length;
  }
  return { field, root, schema: at };
}

function readStep(
  tokens: readonly string[],
  index: number,
  allowsBrackets: boolean,
): { name: string; length: number } | { problem: string } {
  const [first = '', second, third] = tokens.slice(index, index + 3);
  if (first === '.') return second === undefined ? { problem: ended } : { name: second, length: 2 };
  if (first !== '[') return { problem: `expected [ or . but got: ${first}` };
  if (!allowsBrackets) return { problem: 'array notation is not allowed' };
  if (second === undefined) return { problem: ended };
  if (!/^'[^]*'$/.test(second) || second.length < 2)
    return { problem: `expected single quoted string but got ${second}` };
  const name = unquote(second.slice(1, -1));
  if (typeof name !== 'string') return name;
  if (third === undefined) return { problem: ended };
  return third === ']' ? { name, length: 3 } : { problem: `expected ] but got ${third}` };
}

function unquote(text: string): string | { problem: string } {
  let wrong: string | undefined;
  const name = text.replaceAll(/\\(.)/g, (written: string, letter: string) => {
    const character = escapes.get(letter);
    if (character === undefined) wrong ??= written;
    return character ?? '';
  });
  return wrong === undefined ? name : { problem: `invalid string literal: invalid escape char ${wrong}` };
}

function descend(
  schema: Schema | undefined,
  name: string,
): { schema: Schema | undefined; isKey: boolean } | undefined {
  const { properties } = schema ?? {};
  if (properties && Object.keys(properties).length > 0)
    return Object.hasOwn(properties, name) ? { schema: properties[name], isKey: false } : undefined;
  if (!schema || schema.additionalProperties === undefined) return undefined;
  return { schema: additionalSchema(schema), isKey: true };
}
