import type { Diagnostics } from '../diagnostics/diagnostics.ts';
import { definitionOf } from '../markers/registry.ts';
import type { Placement } from '../markers/registry.ts';
import { valueSpan, writtenName } from '../markers/tag.ts';
import type { Tag } from '../markers/tag.ts';
import { applyListTags } from './apply-list-tags.ts';
import { applyValue } from './apply-value.ts';
import { describeSchema, makeNullable } from './schema.ts';
import type { Schema } from './schema.ts';
import { setEnum } from './set-enum.ts';
import { setFormat } from './set-format.ts';
import { setLengthBound } from './set-length-bound.ts';
import { setMultipleOf, setNumberBound } from './set-number-bound.ts';
import { setPattern } from './set-pattern.ts';

/** Reports what is wrong with one tag. */
export type Fail = (message: string, hint?: string) => void;

type Apply = (schema: Schema, tag: Tag, fail: Fail) => void;

/** The order matters: values are checked against the finished schema. */
const EFFECTS: readonly [name: string, apply: Apply][] = [
  ['format', setFormat],
  ['pattern', setPattern],
  ['minimum', setNumberBound('minimum')],
  ['maximum', setNumberBound('maximum')],
  ['exclusiveMinimum', setNumberBound('minimum', true)],
  ['exclusiveMaximum', setNumberBound('maximum', true)],
  ['multipleOf', setMultipleOf],
  ['minLength', setLengthBound('minLength')],
  ['maxLength', setLengthBound('maxLength')],
  ['minItems', setLengthBound('minItems')],
  ['maxItems', setLengthBound('maxItems')],
  ['mapType', setMapType],
  ['nullable', setNullable],
  ['enum', setEnum],
  ['default', applyValue],
  ['example', applyValue],
];

/**
 * Adds to a schema what the tags of a field or of a declared type say.
 * @param schema is not changed, because other fields may share it
 * @returns the new schema; a tag that cannot be applied is reported and left out
 */
export function applyTags(
  schema: Schema,
  tags: readonly Tag[],
  placement: Placement,
  diagnostics: Diagnostics,
): Schema {
  const result = { ...schema };
  const byName = new Map<string, Tag[]>();
  for (const tag of tags) {
    const definition = definitionOf(tag);
    if (!definition?.on.includes(placement)) continue;
    tag.consumed = true;
    const same = byName.get(definition.name) ?? [];
    if (same.length > 0 && !definition.repeatable) {
      diagnostics.error(
        tag.source,
        tag.span,
        'repeated-tag',
        `${writtenName(tag)} is given twice`,
        'keep one of them',
      );
    }
    byName.set(definition.name, [...same, tag]);
  }
  const failFor =
    (tag: Tag): Fail =>
    (message, hint) =>
      diagnostics.error(tag.source, valueSpan(tag), 'tag-value', `${writtenName(tag)} ${message}`, hint);

  applyListTags(result, byName, failFor);
  for (const [name, apply] of EFFECTS) {
    for (const tag of byName.get(name) ?? []) apply(result, tag, failFor(tag));
  }
  return result.nullable ? makeNullable(result) : result;
}

function setNullable(schema: Schema, tag: Tag, fail: Fail): void {
  if (tag.value !== '' && tag.value !== 'true')
    return fail('takes no value', 'write prose before the first tag');
  schema.nullable = true;
}

function setMapType(schema: Schema, tag: Tag, fail: Fail): void {
  if (schema.type !== 'object') return fail(`is for objects, and this is ${describeSchema(schema)}`);
  if (tag.value !== 'atomic' && tag.value !== 'granular') return fail('must be atomic or granular');
  schema['x-kubernetes-map-type'] = tag.value;
}
