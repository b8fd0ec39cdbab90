import type { Tag } from '../tag-syntax/tag.ts';
import type { Fail } from './apply-tags.ts';
import { readText } from './read-text.ts';

const numberPattern = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** The number that is the value of a tag; reported and undefined when it is none. */
export function readNumber(tag: Tag, fail: Fail): number | undefined {
  const text = readText(tag, fail);
  if (text === undefined) return undefined;
  const value = numberPattern.test(text) ? Number(text) : Number.NaN;
  if (Number.isFinite(value)) return value;
  fail(text === '' ? 'needs a number' : 'must be a number', 'write prose before the first tag');
  return undefined;
}
