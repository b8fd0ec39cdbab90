import { parseValue } from '../markers/parse-value.ts';
import type { Tag } from '../markers/tag.ts';
import type { Fail } from './apply-tags.ts';
import { checkValue } from './check-value.ts';
import { readString } from './read-string.ts';
import { reasonOf } from './reason-of.ts';
import { describeSchema } from './schema.ts';
import type { Json, Schema } from './schema.ts';

/** Applies @enum: `a;b;c` or a JSON array. */
export function setEnum(schema: Schema, tag: Tag, fail: Fail): void {
  if (schema.enum) return fail('is given, but the type already lists its values');
  if (schema['x-kubernetes-int-or-string'] || schema.type === 'object' || schema.type === 'array') {
    return fail(`is for strings and numbers, and this is ${describeSchema(schema)}`);
  }
  let values: Json[];
  try {
    values = enumItems(tag.value).map((item) => readItem(schema, item));
  } catch (error) {
    return fail(`cannot be read: ${reasonOf(error)}`, 'write a;b;c or a JSON array');
  }
  if (values.length === 0) return fail('needs values', 'write a;b;c or a JSON array');
  for (const value of values) {
    const problem = checkValue(schema, value, 'a value');
    if (problem) return fail(`does not fit its type: ${problem}`);
  }
  if (new Set(values).size < values.length) return fail('has a value twice');
  schema.enum = values;
}

function enumItems(text: string): Json[] {
  if (text.startsWith('[')) {
    const items = parseValue(text);
    if (!Array.isArray(items)) throw new Error('it is no list');
    return items;
  }
  const list = text.startsWith('{') && text.endsWith('}') ? text.slice(1, -1) : text;
  if (list.includes('\n')) throw new Error('it must be one line');
  return list === '' ? [] : list.split(/[;,]/).map((item) => item.trim());
}

function readItem(schema: Schema, item: Json): Json {
  if (typeof item !== 'string') return item;
  return schema.type === 'string' ? readString(item) : parseValue(item);
}
