import { scanQuoted } from './scan-quoted.ts';
import type { Tag } from './tag.ts';

/**
 * Returns the value of a tag as one string. A marker can quote it and, in the spelling `+k8s:…`, add a
 * comment.
 * @throws Error with a message for the author if the quotes are malformed
 */
export function tagText({ form, name, value }: Tag): string {
  if (form === 'tag') return value;
  const text = name.startsWith('k8s:') ? value.replace(/\s*#[^]*$/, '') : value;
  if (!/^["`]/.test(text)) return text;
  const quoted = scanQuoted(text, 0);
  if ('message' in quoted) throw new Error(quoted.message);
  if (quoted.end < text.length) throw new Error('there is text after the quotes');
  return quoted.value;
}

/** Reverses the escape that keeps a value from ending its comment: `*\/` means `*` and a slash. */
export function unescapeComment(text: string): string {
  return text.replaceAll('*\\/', '*/');
}
