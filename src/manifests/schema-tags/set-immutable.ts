import type { Tag } from '../tag-syntax/tag.ts';
import type { Fail } from './apply-tags.ts';
import { marksKey } from '../schema/field-marks.ts';
import { originKey, tagOrigin } from '../schema/origin.ts';
import { readFlag } from './read-value.ts';
import type { Schema } from '../schema/schema.ts';
import { isUntyped } from './set-type.ts';

/** Applies @immutable: the value cannot change. A rule of the parent object keeps it from being removed. */
export function setImmutable(schema: Schema, tag: Tag, fail: Fail): void {
  if (!readFlag(tag, fail)) return;
  if (isUntyped(schema)) return fail('cannot compare values of any type', 'write object as the type');
  const rule = { rule: 'self == oldSelf', message: 'field is immutable', [originKey]: tagOrigin(tag) };
  schema['x-kubernetes-validations'] = [...(schema['x-kubernetes-validations'] ?? []), rule];
  schema[marksKey] = { ...schema[marksKey], immutable: tag };
}
