import { tagText } from '../tag-syntax/tag-text.ts';
import type { Tag } from '../tag-syntax/tag.ts';
import type { Fail } from './apply-tags.ts';
import { reasonOf } from '../../errors/reason-of.ts';

/** The value of a tag as one text, without the quotes that a marker may have; reported and undefined when they are wrong. */
export function readText(tag: Tag, fail: Fail): string | undefined {
  try {
    return tagText(tag);
  } catch (error) {
    fail(`cannot be read: ${reasonOf(error)}`);
    return undefined;
  }
}
