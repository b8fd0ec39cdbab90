import type { Tag } from '../tag-syntax/tag.ts';
import type { Fail } from './apply-tags.ts';
import { readText } from './read-text.ts';
import type { Schema } from '../schema/schema.ts';

/** Applies @title. */
export function setTitle(schema: Schema, tag: Tag, fail: Fail): void {
  const title = readText(tag, fail)?.replaceAll(/\s+/g, ' ').trim();
  if (title === undefined) return;
  if (title === '') return fail('needs a text');
  schema.title = title;
}
