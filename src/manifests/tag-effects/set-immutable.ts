import type { Tag } from '../tag-syntax/tag.ts';
import type { Fail } from './apply-tags.ts';
import { marksKey } from '../schema/field-marks.ts';
import { originKey, tagOrigin } from '../schema/origin.ts';
import { readFlag } from './read-value.ts';
import type { Schema } from '../schema/schema.ts';
import { isShapeless } from './set-type.ts';

/** Applies @immutable: the value cannot change. That it cannot be removed either is a rule of the object around it. */
export function setImmutable(schema: Schema, tag: Tag, fail: Fail): void {
  if (!readFlag(tag, fail)) return;
  if (isShapeless(schema)) return fail('cannot compare values of any type', 'write object as the type');
  const rule = { rule: 'self == oldSelf', message: 'field is immutable', [originKey]: tagOrigin(tag) };
  schema['x-kubernetes-validations'] = [...(schema['x-kubernetes-validations'] ?? []), rule];
  schema[marksKey] = { ...schema[marksKey], immutable: tag };
}
