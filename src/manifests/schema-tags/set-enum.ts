import { parseMarkerValue } from '../tag-syntax/parse-marker-value.ts';
import { parseValue } from '../tag-syntax/parse-value.ts';
import type { Tag } from '../tag-syntax/tag.ts';
import type { Fail } from './apply-tags.ts';
import { checkValue } from './check-value.ts';
import { readString } from './read-value.ts';
import { reasonOf } from '../../errors/reason-of.ts';
import { describeSchema } from '../schema/schema.ts';
import type { Json, Schema } from '../schema/schema.ts';

/**
 * Applies @enum: `a;b;c` or a JSON array. If the type already lists its values, the tag selects some of them.
 */
export function setEnum(schema: Schema, tag: Tag, fail: Fail): void {
  if (!schema.type || schema.type === 'object' || schema.type === 'array') {
    return fail(`is for strings and numbers, and this is ${describeSchema(schema)}`);
  }
  let values: Json[];
  try {
    values = enumItems(tag).map((item) => readItem(schema, item));
  } catch (error) {
    return fail(`cannot be read: ${reasonOf(error)}`, 'write a;b;c or a JSON array');
  }
  if (values.length === 0) return fail('needs values', 'write a;b;c or a JSON array');
  if (!values.every((value) => checkValue(schema, value, fail))) return;
  if (new Set(values).size < values.length) return fail('has a value twice');
  schema.enum = values;
}

/** Returns the items. Those of a doc tag are strings. In a marker, a bare number or boolean is not a string. */
function enumItems({ form, value: text }: Tag): Json[] {
  if (text.startsWith('[')) {
    const items = parseValue(text);
    if (!Array.isArray(items)) throw new Error('it is not a list');
    return items;
  }
  if (text.includes('\n')) throw new Error('it must be one line');
  if (text === '') return [];
  if (form === 'marker') {
    const items = parseMarkerValue(text);
    if (Array.isArray(items)) return items;
    if (items !== null && typeof items === 'object') throw new Error('it is not a list');
    return [items];
  }
  const list = text.startsWith('{') && text.endsWith('}') ? text.slice(1, -1) : text;
  return list.split(/[;,]/).map((item) => item.trim());
}

function readItem(schema: Schema, item: Json): Json {
  if (schema.type === 'string') return typeof item === 'string' ? readString(item) : JSON.stringify(item);
  return typeof item === 'string' ? parseValue(item) : item;
}
