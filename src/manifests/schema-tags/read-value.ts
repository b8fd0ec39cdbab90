import { tagText, unescapeComment } from '../tag-syntax/tag-text.ts';
import type { Tag } from '../tag-syntax/tag.ts';
import type { Fail } from './apply-tags.ts';
import { reasonOf } from '../../errors/reason-of.ts';
import { parseValue } from '../tag-syntax/parse-value.ts';
import type { Json } from '../schema/schema.ts';

/**
 * Returns the value of a tag as a string, without the quotes that a marker can have. Reports malformed quotes
 * and returns undefined.
 */
export function readText(tag: Tag, fail: Fail): string | undefined {
  try {
    return tagText(tag);
  } catch (error) {
    fail(`cannot be read: ${reasonOf(error)}`);
    return undefined;
  }
}

/** Returns whether a tag that takes no value is set. Reports a tag followed by prose and treats it as set. */
export function readFlag(tag: Tag, fail: Fail): boolean {
  const value = tag.name.startsWith('k8s:') ? tag.value.replace(/\s*#[^]*$/, '') : tag.value;
  if (value !== '' && value !== 'true' && value !== 'false')
    fail('takes no value', 'write prose before the first tag');
  return value !== 'false';
}

const decimalNumber = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** Returns the numeric value of a tag. Reports a value that is not a number and returns undefined. */
export function readNumber(tag: Tag, fail: Fail): number | undefined {
  const text = readText(tag, fail);
  if (text === undefined) return undefined;
  const value = decimalNumber.test(text) ? Number(text) : Number.NaN;
  if (Number.isFinite(value)) return value;
  fail(text === '' ? 'needs a number' : 'must be a number', 'write prose before the first tag');
  return undefined;
}

/**
 * Reads the value of a tag on a string, with or without quotes.
 * @throws Error if it has several lines without quotes and so may be prose
 */
export function readString(text: string): Json {
  const quote = text[0];
  if (quote === '"' || (quote === "'" && text.at(-1) === "'")) return parseValue(text);
  if (quote === '`' && text.at(-1) === '`' && text.length > 1) return text.slice(1, -1);
  if (text.includes('\n')) throw new Error('it must be one line, or in quotes');
  return unescapeComment(text);
}
