import type { Tag } from '../markers/tag.ts';
import type { Fail } from './apply-tags.ts';

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** The number that is the value of a tag; reported and undefined when it is none. */
export function readNumber(tag: Tag, fail: Fail): number | undefined {
  const value = NUMBER.test(tag.value) ? Number(tag.value) : Number.NaN;
  if (Number.isFinite(value)) return value;
  fail(tag.value === '' ? 'needs a number' : 'must be a number', 'write prose before the first tag');
  return undefined;
}
