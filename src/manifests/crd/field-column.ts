import { parseNamedArguments } from '../tag-syntax/parse-named-arguments.ts';
import type { Tag } from '../tag-syntax/tag.ts';
import { describeSchema } from '../schema/schema.ts';
import type { Schema } from '../schema/schema.ts';
import { failTag } from './kind.ts';
import type { KindContext } from './kind.ts';
import { columnOptionSpecs, columnOptions } from './printer-columns.ts';

/** The column types of kubectl by the types of a schema. */
const types: Readonly<Record<string, string>> = {
  boolean: 'boolean',
  integer: 'integer',
  number: 'number',
  string: 'string',
};

/**
 * Creates a column from a property with @column, `[Name] [priority=1]`. Without a name, the column is named
 * after the property.
 * @param path path of the property in the kind
 */
export function fieldColumn(
  tag: Tag,
  name: string,
  path: string,
  schema: Schema,
  context: KindContext,
): object | undefined {
  const type = columnType(schema);
  if (!type) {
    failTag(context, tag, `shows one value, and this is ${describeSchema(schema)}`, 'write a @printcolumn');
    return undefined;
  }
  if (!/^(?:\.[A-Za-z_][\w-]*)+$/.test(path)) {
    failTag(context, tag, `is not accessible as ${path}`, 'write a @printcolumn with the jsonPath');
    return undefined;
  }
  const read = parseNamedArguments(
    tag,
    { name: 'name', type: 'string' },
    columnOptionSpecs,
    context.diagnostics,
  );
  if (!read) return undefined;
  return {
    name: read.name || `${name[0]!.toUpperCase()}${name.slice(1)}`,
    type,
    jsonPath: path,
    ...columnOptions(read.args),
  };
}

function columnType(schema: Schema): string | undefined {
  if (schema['x-kubernetes-int-or-string']) return 'string';
  // kubectl shows a date as the time since then.
  return schema.format === 'date-time' ? 'date' : types[schema.type ?? ''];
}
