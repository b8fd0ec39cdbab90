import { parseArguments } from '../tag-syntax/parse-arguments.ts';
import type { ArgumentSpec } from '../tag-syntax/parse-arguments.ts';
import type { Tag } from '../tag-syntax/tag.ts';
import { failTag } from './kind.ts';
import type { KindContext } from './kind.ts';

/** The names of a resource that tags can set. */
export interface ResourceNames {
  readonly shortNames: string[];
  readonly categories: string[];
  singular?: string;
}

const argumentSpecs: readonly ArgumentSpec[] = [
  { name: 'plural', aliases: ['path'], type: 'string' },
  { name: 'singular', type: 'string' },
  { name: 'shortName', aliases: ['shortNames'], type: 'list' },
  { name: 'categories', aliases: ['category'], type: 'list' },
  { name: 'scope', type: 'string', values: ['Namespaced', 'Cluster'] },
];
const resourceName = /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/;

/** Reads @shortName, @category, @singular, @plural, @scope and @resource. */
export function readResourceNames(
  groups: ReadonlyMap<string, readonly Tag[]>,
  context: KindContext,
): ResourceNames {
  const names: ResourceNames = { shortNames: [], categories: [] };
  const { kind } = context;
  const list = (tag: Tag) => checkNames(tag, tag.value.split(/[;,\s]+/), context);
  for (const tag of groups.get('shortName') ?? []) names.shortNames.push(...list(tag));
  for (const tag of groups.get('category') ?? []) names.categories.push(...list(tag));
  for (const tag of groups.get('singular') ?? [])
    for (const name of checkNames(tag, [tag.value], context)) names.singular = name;
  for (const tag of groups.get('plural') ?? []) checkDefined(tag, 'plural', tag.value, kind.plural, context);
  for (const tag of groups.get('scope') ?? []) checkDefined(tag, 'scope', tag.value, kind.scope, context);
  for (const tag of groups.get('resource') ?? []) readResource(names, tag, context);
  return names;
}

function readResource(names: ResourceNames, tag: Tag, context: KindContext): void {
  const { kind, diagnostics } = context;
  const args = parseArguments(tag, argumentSpecs, diagnostics);
  if (!args) return;
  for (const name of ['plural', 'scope'] as const) {
    const value = args.string(name);
    if (value === undefined || value === kind[name]) continue;
    const message = `${name} is ${value} here and ${kind[name]} in the defineKind call`;
    diagnostics.error(tag.source, args.span(name), 'tag-value', message, removeHint);
  }
  const singular = args.string('singular');
  for (const name of singular === undefined ? [] : checkNames(tag, [singular], context))
    names.singular = name;
  names.shortNames.push(...checkNames(tag, args.list('shortName') ?? [], context));
  names.categories.push(...checkNames(tag, args.list('categories') ?? [], context));
}

const removeHint = 'the defineKind call decides; remove it here';

function checkDefined(tag: Tag, name: string, value: string, defined: string, context: KindContext): void {
  if (value !== defined)
    failTag(
      context,
      tag,
      `is ${value || 'empty'} here and ${name} is ${defined} in the defineKind call`,
      removeHint,
    );
}

function checkNames(tag: Tag, values: readonly string[], context: KindContext): readonly string[] {
  const wrong = values.find((value) => !resourceName.test(value));
  if (wrong === undefined) return values;
  failTag(
    context,
    tag,
    wrong === '' ? 'needs a name' : `cannot be '${wrong}'`,
    'names consist of lower case letters, digits and dashes',
  );
  return [];
}
