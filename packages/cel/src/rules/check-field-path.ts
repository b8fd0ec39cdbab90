import { closestName } from 'ots-apimachinery/closest-name';
import { simpleEscapes } from '../parse/simple-escapes.ts';
import { type StructuralSchema, valuesOf } from '../schema/structural-schema.ts';
import type { ArgumentProblem } from './rule-problem.ts';

const tokenPattern = /'[^]*?(?<!\\)'|[.[\]]|[^.[\]]+/y;
const escapes: Readonly<Record<string, string>> = { ...simpleEscapes, "'": "'", '\\': '\\' };
const grammarHint = "write a path from the value that has the rule, as .spec.replicas or .labels['app']";

interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Checks that the `fieldPath` of a rule addresses a field: `.name` for every property, `['name']` for names with
 * other characters, and for map keys.
 *
 * @param path the path
 * @param schema the node with the rule
 */
export function checkFieldPath(path: string, schema: StructuralSchema): ArgumentProblem[] {
  if (path.trim() === '') return [problem(path, 0, path.length, 'a blank field path', grammarHint)];
  if (/[\n\r]/.test(path))
    return [problem(path, 0, path.length, 'a field path with line breaks', 'write it on one line')];
  const tokens = tokenize(path);
  let node: StructuralSchema | undefined = schema;
  for (let i = 0; i < tokens.length;) {
    const step = readStep(tokens, i);
    if (!step)
      return [problem(path, tokens[i]!.start, path.length, `${path} is not a field path`, grammarHint)];
    const found: StructuralSchema | undefined = childOf(node, step.name);
    if (!found) return [unknownField(path, tokens[i + 1]!, step.name, node)];
    node = found;
    i += step.length;
  }
  return [];
}

function readStep(
  tokens: readonly Token[],
  at: number,
): { readonly name: string; readonly length: number } | undefined {
  const [first, second, third] = [tokens[at], tokens[at + 1], tokens[at + 2]];
  if (!first || !second) return undefined;
  if (first.text === '.') return { name: second.text, length: 2 };
  if (first.text !== '[' || third?.text !== ']' || !/^'[^]*'$/.test(second.text) || second.text.length < 2)
    return undefined;
  const name = unescape(second.text.slice(1, -1));
  return name === undefined ? undefined : { name, length: 3 };
}

function unescape(text: string): string | undefined {
  let known = true;
  const name = text.replaceAll(/\\(.)/g, (_, letter: string) => {
    known &&= Object.hasOwn(escapes, letter);
    return escapes[letter] ?? '';
  });
  return known ? name : undefined;
}

function childOf(node: StructuralSchema, name: string): StructuralSchema | undefined {
  const { properties } = node;
  if (properties && Object.keys(properties).length > 0)
    return Object.hasOwn(properties, name) ? properties[name] : undefined;
  return valuesOf(node);
}

function unknownField(path: string, token: Token, name: string, node: StructuralSchema): ArgumentProblem {
  const names = Object.keys(node.properties ?? {});
  const closest = closestName(name, names);
  const list =
    names.length > 0
      ? `the fields here are ${names.toSorted().slice(0, 8).join(', ')}`
      : 'there are no fields here; an item of a list cannot be named';
  return problem(
    path,
    token.start,
    token.end,
    `no field ${name}`,
    closest ? `did you mean ${closest}?` : list,
  );
}

function tokenize(path: string): Token[] {
  const tokens: Token[] = [];
  tokenPattern.lastIndex = 0;
  for (let match = tokenPattern.exec(path); match; match = tokenPattern.exec(path)) {
    tokens.push({ text: match[0], start: match.index, end: tokenPattern.lastIndex });
  }
  return tokens;
}

function problem(path: string, start: number, end: number, message: string, hint: string): ArgumentProblem {
  return {
    argument: 'fieldPath',
    code: 'bad-field-path',
    message,
    hint,
    start,
    end: Math.min(end, path.length),
  };
}
