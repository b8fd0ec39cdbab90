import { lineEndingOf } from './line-ending.ts';

/**
 * Appends the missing lines of a list such as .gitignore to a text, without comments and blank lines.
 */
export function addMissingLines(text: string, lines: readonly string[]): string {
  const present = new Set(text.split('\n').map((line) => line.trim()));
  const missing = lines.filter((line) => line !== '' && !line.startsWith('#') && !present.has(line));
  if (missing.length === 0) return text;
  const eol = lineEndingOf(text);
  const gap = text === '' || text.endsWith('\n') ? '' : eol;
  return `${text}${gap}${missing.join(eol)}${eol}`;
}
