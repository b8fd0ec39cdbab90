import type { Tag } from '../tag-syntax/tag.ts';
import type { Fail } from './apply-tags.ts';
import { readText } from './read-text.ts';
import { describeSchema } from '../schema/schema.ts';
import type { Schema } from '../schema/schema.ts';

/** Applies @mapType or @structType, which are two words for the same. */
export function setMapType(schema: Schema, tag: Tag, fail: Fail): void {
  if (schema.type !== 'object') return fail(`is for objects, and this is ${describeSchema(schema)}`);
  const type = readText(tag, fail);
  if (type === undefined) return;
  if (type !== 'atomic' && type !== 'granular') return fail('must be atomic or granular');
  schema['x-kubernetes-map-type'] = type;
}
