import { parseMarkerValue } from '../tag-syntax/parse-marker-value.ts';
import { isJson, parseValue } from '../tag-syntax/parse-value.ts';
import { definitionOf } from '../tag-syntax/registry.ts';
import { tagText } from '../tag-syntax/tag-text.ts';
import type { Tag } from '../tag-syntax/tag.ts';
import type { Fail } from './apply-tags.ts';
import { checkValue } from './check-value.ts';
import { readString } from './read-value.ts';
import { reasonOf } from '../../errors/reason-of.ts';
import type { Json, Schema } from '../schema/schema.ts';

/** Applies @default or @example. The schema must allow the value. */
export function applyValue(schema: Schema, tag: Tag, fail: Fail): void {
  const isExample = definitionOf(tag)?.name === 'example';
  // TSDoc's @example can hold a code block, which is for readers.
  if (isExample && /^(?:```|~~~)/.test(tag.value)) return;
  if (tag.value === '') return fail('needs a value', 'write "" for the empty string');
  if (isJsonMarker(tag) && tag.value.startsWith('ref('))
    return fail('refers to a Go constant, which ots cannot read', 'write the value itself');
  let value: Json;
  try {
    value = readValue(schema, tag);
  } catch (error) {
    return fail(`cannot be read: ${reasonOf(error)}`, 'write the value as JSON');
  }
  if (!checkValue(schema, value, fail)) return;
  // The API server treats it as no default.
  if (value === null && !isExample) return fail('null has no effect', 'remove the tag');
  schema[isExample ? 'example' : 'default'] = value;
}

/** Returns whether the tag is `+default=`, the only marker whose value is JSON. */
function isJsonMarker(tag: Tag): boolean {
  return tag.form === 'marker' && tag.name === 'default';
}

function readValue(schema: Schema, tag: Tag): Json {
  const text = tag.value;
  if (isJsonMarker(tag)) return parseJson(text);
  if (schema.nullable && text === 'null') return null;
  if (tag.form === 'tag') return schema.type === 'string' ? readString(text) : parseValue(text);
  if (schema.type === 'string') return tagText(tag);
  if (text.startsWith('[')) return parseValue(text);
  const value = parseMarkerValue(text);
  // Empty braces are a map, unless the type is a list.
  return schema.type === 'array' && text.replaceAll(/\s/g, '') === '{}' ? [] : value;
}

function parseJson(text: string): Json {
  const value: unknown = JSON.parse(text);
  if (!isJson(value)) throw new Error('a number is too large');
  return value;
}
