import type { Tag } from '../tag-syntax/tag.ts';
import type { Fail, TagContext } from './apply-tags.ts';
import { addOlmTag } from './add-olm-tag.ts';
import { applyValue } from './apply-value.ts';
import { checkLiteralEnum } from './check-literal-enum.ts';
import { marksKey } from '../schema/field-marks.ts';
import { readFlag } from './read-value.ts';
import type { Schema } from '../schema/schema.ts';
import { setEmbeddedResource } from './set-embedded-resource.ts';
import { setEnum } from './set-enum.ts';
import { setExternalDocs, setTitle } from './documentation-tags.ts';
import { setFormat } from './set-format.ts';
import { setLengthBound } from './set-length-bound.ts';
import { setMapType } from './merge-strategy-tags.ts';
import { setMultipleOf, setNumberBound } from './set-number-bound.ts';
import { setPattern } from './set-pattern.ts';
import { checkOptional, checkRequired } from './set-presence.ts';
import {
  checkSchemaless,
  setIntOrString,
  setPreserveUnknownFields,
  setSchemaless,
  setType,
} from './set-type.ts';

type Apply = (schema: Schema, tag: Tag, fail: Fail, context: TagContext) => void;
/** What tags do, by the names of their definitions, in the order of application. */
export type Effects = readonly (readonly [name: string, apply: Apply])[];

/** Tags that decide what kind of value it is. */
export const shapeEffects: Effects = [
  ['schemaless', setSchemaless],
  ['type', setType],
  ['intOrString', setIntOrString],
  ['preserveUnknownFields', setPreserveUnknownFields],
  ['embeddedResource', setEmbeddedResource],
];

/** The order matters: a flag like `@exclusiveMinimum true` needs its bound. */
export const constraintEffects: Effects = [
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
  ['minProperties', setLengthBound('minProperties')],
  ['maxProperties', setLengthBound('maxProperties')],
  ['enum', setEnum],
];

/** Tags that need the finished schema, and tags that only a whole field or type can have. */
export const otherEffects: Effects = [
  ['schemaless', checkSchemaless],
  ['mapType', setMapType],
  ['structType', setMapType],
  ['k8s:enum', checkLiteralEnum],
  ['nullable', setNullable],
  ['optional', checkOptional],
  ['required', checkRequired],
  ['title', setTitle],
  ['externalDocs', setExternalDocs],
  ['default', applyValue],
  ['example', applyValue],
  ['column', setMark('column')],
  ['selectable', setMark('selectable')],
  ['olm', addOlmTag],
];

function setNullable(schema: Schema, tag: Tag, fail: Fail): void {
  if (readFlag(tag, fail)) schema.nullable = true;
}

function setMark(name: 'column' | 'selectable'): Apply {
  return (schema, tag) => {
    schema[marksKey] = { ...schema[marksKey], [name]: tag };
  };
}
