import { parseValue } from '../tag-syntax/parse-value.ts';
import { unescapeComment } from '../tag-syntax/unescape-comment.ts';
import type { Json } from '../schema/schema.ts';

/**
 * Reads the value of a tag on a string, which need not be in quotes.
 * @throws Error when it has several lines without quotes, and so may be prose
 */
export function readString(text: string): Json {
  const quote = text[0];
  if (quote === '"' || (quote === "'" && text.at(-1) === "'")) return parseValue(text);
  if (quote === '`' && text.at(-1) === '`' && text.length > 1) return text.slice(1, -1);
  if (text.includes('\n')) throw new Error('it must be one line, or in quotes');
  return unescapeComment(text);
}
