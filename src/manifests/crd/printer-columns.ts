import type { Diagnostics } from '../diagnostics/diagnostics.ts';
import { parseArguments } from '../tag-syntax/parse-arguments.ts';
import type { ArgumentSpec, Arguments } from '../tag-syntax/parse-arguments.ts';
import type { Tag } from '../tag-syntax/tag.ts';
import type { Schema } from '../schema/schema.ts';

const types = ['boolean', 'date', 'integer', 'number', 'string'];

/** The arguments that @printcolumn and @column share. */
export const columnOptionSpecs: readonly ArgumentSpec[] = [
  { name: 'description', type: 'string' },
  {
    name: 'format',
    type: 'string',
    values: ['int32', 'int64', 'float', 'double', 'byte', 'date', 'date-time', 'password'],
  },
  { name: 'priority', type: 'integer' },
];
const argumentSpecs: readonly ArgumentSpec[] = [
  { name: 'name', type: 'string', required: true },
  { name: 'type', type: 'string', required: true, values: types },
  { name: 'jsonPath', type: 'string', required: true },
  ...columnOptionSpecs,
];

/** Reads a @printcolumn tag, whose path must lead into the schema of the kind. */
export function printerColumn(tag: Tag, schema: Schema, diagnostics: Diagnostics): object | undefined {
  const args = parseArguments(tag, argumentSpecs, diagnostics);
  if (!args) return undefined;
  const path = args.string('jsonPath')!;
  const problem = path.startsWith('.')
    ? checkPath(schema, path)
    : 'must start with a dot, like .status.phase';
  if (problem) {
    const message = `the jsonPath of the column ${problem}`;
    diagnostics.error(tag.source, args.span('jsonPath'), 'printcolumn', message);
    return undefined;
  }
  if (args.string('name') === '') {
    diagnostics.error(tag.source, args.span('name'), 'printcolumn', 'the name of the column is empty');
    return undefined;
  }
  return {
    name: args.string('name'),
    type: args.string('type'),
    jsonPath: path,
    ...columnOptions(args),
  };
}

/** Returns the optional arguments that the tag states. */
export function columnOptions(args: Arguments): object {
  const given = {
    description: args.string('description'),
    format: args.string('format'),
    priority: args.integer('priority'),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/**
 * Follows the plain names at the beginning of a JSONPath. Filters, indices and the server's own metadata are
 * not in the schema.
 */
function checkPath(schema: Schema, path: string): string | undefined {
  const names = /^(?:\.[A-Za-z_][\w-]*)*/.exec(path)![0].split('.').slice(1);
  if (names.length === 0) return 'does not name a property';
  if (path.split('[').length !== path.split(']').length) return 'has unclosed brackets';
  let current: Schema | undefined = schema;
  let walked = '';
  for (const name of names) {
    if (walked === '' && name === 'metadata') return undefined;
    if (current.additionalProperties || current['x-kubernetes-preserve-unknown-fields']) return undefined;
    const next: Schema | undefined = current.properties?.get(name);
    if (!next) return `leads to ${walked}.${name}, which the schema does not have`;
    current = next;
    walked += `.${name}`;
  }
  return undefined;
}
