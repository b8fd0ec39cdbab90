import type { Tag } from '../tag-syntax/tag.ts';
import type { Fail } from './apply-tags.ts';

/** Whether a tag that takes no value is set. One with prose is reported, and taken as it is meant. */
export function readFlag(tag: Tag, fail: Fail): boolean {
  const value = tag.name.startsWith('k8s:') ? tag.value.replace(/\s*#[^]*$/, '') : tag.value;
  if (value !== '' && value !== 'true' && value !== 'false')
    fail('takes no value', 'write prose before the first tag');
  return value !== 'false';
}
