import type { Tag } from '../tag-syntax/tag.ts';
import type { Fail, TagContext } from './apply-tags.ts';
import { readFlag } from './read-value.ts';
import type { Schema } from '../schema/schema.ts';

/**
 * Checks a marker that says that the property is optional. Only the `?` decides, for TypeScript and for ots.
 */
export function checkOptional(_: Schema, tag: Tag, fail: Fail, { optional }: TagContext): void {
  if (readFlag(tag, fail) && !optional)
    fail('contradicts the property, which has no `?`', 'add the `?` after its name, or remove the marker');
}

/**
 * Checks a marker that says that the property is required. `+k8s:required` also means that it is not empty.
 */
export function checkRequired(schema: Schema, tag: Tag, fail: Fail, { optional }: TagContext): void {
  if (!readFlag(tag, fail)) return;
  if (optional)
    return fail(
      'contradicts the property, which can be missing',
      'remove the `?` after its name, or remove the marker',
    );
  if (tag.name !== 'k8s:required') return;
  if (schema.type === 'string') schema.minLength ??= 1;
  if (schema.type === 'array') schema.minItems ??= 1;
  if (schema.type === 'object') schema.minProperties ??= 1;
}
