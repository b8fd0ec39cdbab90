import type { Tag } from '../tag-syntax/tag.ts';
import type { Fail } from './apply-tags.ts';
import { openKey } from '../schema/open-type.ts';
import { readFlag } from './read-value.ts';
import { describeSchema } from '../schema/schema.ts';
import type { Schema } from '../schema/schema.ts';
import { acceptAnyValue, isUntyped } from './set-type.ts';

/** Applies @embeddedResource, after the tags that decide whether unknown fields are preserved. */
export function setEmbeddedResource(schema: Schema, tag: Tag, fail: Fail): void {
  if (!readFlag(tag, fail)) return;
  const { properties, additionalProperties } = schema;
  if (additionalProperties || (schema.type !== 'object' && !isUntyped(schema))) {
    const what = additionalProperties ? 'a map' : describeSchema(schema);
    return reject(`is for whole objects, and this is ${what}`, 'write object as the type');
  }
  if (!schema['x-kubernetes-preserve-unknown-fields'] && !properties?.size)
    return reject('would lose every field of the object', 'add @preserveUnknownFields');
  delete schema[openKey];
  schema.type = 'object';
  schema['x-kubernetes-embedded-resource'] = true;

  function reject(message: string, hint: string): void {
    acceptAnyValue(schema);
    fail(message, hint);
  }
}
