import type { Diagnostics } from '../diagnostics/diagnostics.ts';
import { parseArguments } from '../markers/parse-arguments.ts';
import type { ArgumentSpec } from '../markers/parse-arguments.ts';
import { definitionOf } from '../markers/registry.ts';
import { valueSpan, writtenName } from '../markers/tag.ts';
import type { Tag } from '../markers/tag.ts';
import type { Schema } from '../types/schema.ts';
import type { Kind } from './kind.ts';
import { printerColumn } from './printer-columns.ts';

/** What the tags on the interface of a kind say. */
export interface KindTags {
  readonly shortNames: string[];
  readonly categories: string[];
  readonly columns: object[];
  singular?: string;
  status: boolean;
  unserved: boolean;
  /** The tag that makes this the storage version. */
  storage?: Tag;
  /** The warning; empty for the API server's own text. */
  deprecated?: string;
}

const RESOURCE_ARGUMENTS: readonly ArgumentSpec[] = [
  { name: 'path', type: 'string' },
  { name: 'singular', type: 'string' },
  { name: 'shortName', type: 'list' },
  { name: 'categories', type: 'list' },
  { name: 'scope', type: 'string', values: ['Namespaced', 'Cluster'] },
];
const NAME = /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/;

/** Reads the tags of a kind. */
export function readKindTags(kind: Kind, schema: Schema, diagnostics: Diagnostics): KindTags {
  const result: KindTags = { shortNames: [], categories: [], columns: [], status: false, unserved: false };
  const seen = new Set<string>();
  for (const tag of kind.declaration.doc.tags) {
    const definition = definitionOf(tag);
    if (!definition?.on.includes('kind')) continue;
    tag.consumed = true;
    if (seen.has(definition.name) && !definition.repeatable) {
      diagnostics.error(
        tag.source,
        tag.span,
        'repeated-tag',
        `${writtenName(tag)} is given twice`,
        'keep one of them',
      );
    }
    seen.add(definition.name);
    readTag(result, tag, definition.name, { kind, schema, diagnostics });
  }
  return result;
}

interface Context {
  readonly kind: Kind;
  readonly schema: Schema;
  readonly diagnostics: Diagnostics;
}

function readTag(result: KindTags, tag: Tag, name: string, context: Context): void {
  switch (name) {
    case 'subresource':
      result.status = readSubresource(tag, context) || result.status;
      break;
    case 'printcolumn': {
      const column = printerColumn(tag, context.schema, context.diagnostics);
      if (column) result.columns.push(column);
      break;
    }
    case 'shortName':
      result.shortNames.push(...names(tag, tag.value.split(/[;,\s]+/), context));
      break;
    case 'category':
      result.categories.push(...names(tag, tag.value.split(/[;,\s]+/), context));
      break;
    case 'resource':
      readResource(result, tag, context);
      break;
    case 'deprecated':
      result.deprecated = deprecationWarning(tag, context);
      break;
    case 'storageVersion':
      expectNoValue(tag, context);
      result.storage = tag;
      break;
    case 'unserved':
      expectNoValue(tag, context);
      result.unserved = true;
      break;
  }
}

function fail(tag: Tag, { diagnostics }: Context, message: string, hint?: string): void {
  diagnostics.error(tag.source, valueSpan(tag), 'tag-value', `${writtenName(tag)} ${message}`, hint);
}

function expectNoValue(tag: Tag, context: Context): void {
  if (tag.value !== '') fail(tag, context, 'takes no value', 'write prose before the first tag');
}

function names(tag: Tag, values: readonly string[], context: Context): readonly string[] {
  const wrong = values.find((value) => !NAME.test(value));
  if (wrong === undefined) return values;
  fail(
    tag,
    context,
    wrong === '' ? 'needs a name' : `cannot be '${wrong}'`,
    'names consist of lower case letters, digits and dashes',
  );
  return [];
}

function readSubresource(tag: Tag, context: Context): boolean {
  if (tag.value !== 'status') {
    fail(tag, context, `cannot be '${tag.value}'`, 'write @subresource status');
    return false;
  }
  if (context.schema.properties!.has('status')) return true;
  fail(tag, context, `status needs a property status in ${context.kind.kind}`, 'add: status?: …;');
  return false;
}

function readResource(result: KindTags, tag: Tag, context: Context): void {
  const { kind, diagnostics } = context;
  const args = parseArguments(tag, RESOURCE_ARGUMENTS, diagnostics);
  if (!args) return;
  for (const [argument, defined] of [
    ['path', kind.plural],
    ['scope', kind.scope],
  ] as const) {
    const value = args.string(argument);
    if (value === undefined || value === defined) continue;
    const hint = 'the defineKind call decides; leave the argument out';
    diagnostics.error(
      tag.source,
      args.span(argument),
      'tag-value',
      `${argument} is ${value} here and ${defined} in the defineKind call`,
      hint,
    );
  }
  const singular = args.string('singular');
  for (const name of singular === undefined ? [] : names(tag, [singular], context)) result.singular = name;
  result.shortNames.push(...names(tag, args.list('shortName') ?? [], context));
  result.categories.push(...names(tag, args.list('categories') ?? [], context));
}

/** The API server takes at most 256 bytes, all of them printable. */
function deprecationWarning(tag: Tag, context: Context): string {
  const text =
    tag.form === 'marker'
      ? (parseArguments(tag, [{ name: 'warning', type: 'string' }], context.diagnostics)?.string('warning') ??
        '')
      : tag.value;
  const warning = text.replaceAll(/\s+/g, ' ').trim();
  if (Buffer.byteLength(warning) > 256)
    fail(tag, context, 'is longer than the 256 bytes that the API server sends to users', 'shorten it');
  if (/[^ \P{Z}]|\p{C}/u.test(warning))
    fail(tag, context, 'has characters that cannot be printed', 'remove them');
  return warning;
}
