import type { TSTemplateLiteralType } from 'oxc-parser';
import { alternation, escapeRegex } from '../schema/regex.ts';
import { describeNode } from './describe-node.ts';
import { isConstrained } from './layer.ts';
import { placeOf } from './type.ts';
import type { Place, Scope, Type } from './type.ts';
import type { TypeContext } from './type-context.ts';
import { literalsType } from './union-type.ts';

/** With more values than this, a pattern is better than an enum. */
const maxValues = 100;
/** Limits the pattern of nested templates, which can double with every level. */
const maxLength = 10_000;

/** What a type within a template matches: a list of strings, or a regular expression. */
type Hole = { readonly texts: readonly string[] } | { readonly regex: string };

/**
 * Evaluates `` `${string}.example.com` `` as strings that match a pattern, or as their union if all of them
 * are known.
 */
export function templateType(
  context: TypeContext,
  scope: Scope,
  node: TSTemplateLiteralType,
): Type | undefined {
  const at = placeOf(scope, node);
  const holes: Hole[] = [];
  for (const member of node.types) {
    const type = context.reduce(scope, member);
    if (!type) return undefined;
    const hole = holeOf(type);
    if (!hole) {
      const message = `${describeNode(scope, member)} cannot be part of a template`;
      const hint = 'a template can hold string, number, boolean, literals and other templates without tags';
      return context.fail(placeOf(scope, member), 'unsupported-type', message, hint);
    }
    holes.push(hole);
  }
  const quasis = node.quasis.map(({ value }) => value.cooked ?? value.raw);
  const texts = allTexts(quasis, holes);
  if (texts) return literalsType(texts, at);
  const parts = holes.map((hole, index) => `${regexOf(hole)}${escapeRegex(quasis[index + 1]!)}`);
  const regex = escapeRegex(quasis[0]!) + parts.join('');
  if (regex.length <= maxLength) return { kind: 'pattern', at, regex };
  return failLength(context, at);
}

function failLength(context: TypeContext, at: Place): undefined {
  const message = `the pattern of the template has more than ${maxLength} characters`;
  return context.fail(at, 'unsupported-type', message, 'write string with a @pattern tag');
}

function holeOf(type: Type): Hole | undefined {
  if (isConstrained(type)) return undefined;
  switch (type.kind) {
    case 'literal':
      return { texts: [String(type.value)] };
    case 'number':
      return { regex: String.raw`-?\d+(\.\d+)?` };
    case 'pattern':
      return { regex: type.regex };
    case 'union':
      return unionHole(type.members.map((member) => holeOf(member.type)));
    case 'scalar': {
      const { type: name, format, ...rest } = type.schema;
      if (Object.keys(rest).length > 0) return undefined;
      if (name === 'string') return format === undefined ? { regex: '.*' } : undefined;
      if (name === 'boolean') return { texts: ['true', 'false'] };
      return { regex: name === 'integer' ? String.raw`-?\d+` : String.raw`-?\d+(\.\d+)?` };
    }
    default:
      return undefined;
  }
}

function unionHole(holes: readonly (Hole | undefined)[]): Hole | undefined {
  if (!holes.every((hole) => hole !== undefined)) return undefined;
  if (holes.every((hole) => 'texts' in hole)) return { texts: holes.flatMap((hole) => hole.texts) };
  return { regex: alternation(holes.map(regexOf)) };
}

/**
 * Returns every string of a template whose holes are all lists of strings, or undefined if some are not or
 * there are too many.
 */
function allTexts(quasis: readonly string[], holes: readonly Hole[]): string[] | undefined {
  let results = [quasis[0]!];
  for (const [index, hole] of holes.entries()) {
    if (!('texts' in hole) || results.length * hole.texts.length > maxValues) return undefined;
    results = results.flatMap((text) => hole.texts.map((part) => `${text}${part}${quasis[index + 1]!}`));
  }
  return results;
}

function regexOf(hole: Hole): string {
  return 'regex' in hole ? hole.regex : alternation(hole.texts.map(escapeRegex));
}
