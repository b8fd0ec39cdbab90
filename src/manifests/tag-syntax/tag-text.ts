import { scanQuoted } from './scan-quoted.ts';
import type { Tag } from './tag.ts';

/**
 * The value of a tag as one text. A marker may have it in quotes, and in the spelling `+k8s:…` followed by a comment.
 * @throws Error with a message for the author when the quotes are wrong
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

/** Undoes what keeps a value from ending its comment: `*\/` means `*` and a slash. */
export function unescapeComment(text: string): string {
  return text.replaceAll('*\\/', '*/');
}
