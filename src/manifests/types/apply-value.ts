import { definitionOf } from '../markers/registry.ts';
import { parseValue } from '../markers/parse-value.ts';
import { readString } from './read-string.ts';
import { reasonOf } from './reason-of.ts';
import type { Tag } from '../markers/tag.ts';
import type { Fail } from './apply-tags.ts';
import { checkValue } from './check-value.ts';
import type { Json, Schema } from './schema.ts';

/** Applies @default or @example, whose values must be allowed by the schema itself. */
export function applyValue(schema: Schema, tag: Tag, fail: Fail): void {
  const isExample = definitionOf(tag)?.name === 'example';
  // TSDoc's @example may hold a block of code, which is for people.
  if (isExample && /^(?:```|~~~)/.test(tag.value)) return;
  if (tag.value === '') return fail('needs a value', 'write "" for the empty string');
  let value: Json;
  try {
    value = readValue(schema, tag);
  } catch (error) {
    return fail(`cannot be read: ${reasonOf(error)}`, 'write the value as JSON');
  }
  const problem = checkValue(schema, value, 'it');
  if (problem) return fail(`does not fit its type: ${problem}`);
  schema[isExample ? 'example' : 'default'] = value;
}

function readValue(schema: Schema, tag: Tag): Json {
  const text = tag.value;
  if (schema.nullable && text === 'null') return null;
  if (schema.type === 'string') return readString(text);
  // kubebuilder writes lists in braces.
  const braces =
    tag.form === 'marker' && schema.type === 'array' && text.startsWith('{') && text.endsWith('}');
  return parseValue(braces ? `[${text.slice(1, -1)}]` : text);
}
