import { lineEndingOf } from './line-ending.ts';

/**
 * Adds the lines of a list such as .gitignore that a text does not have, at its end. Comments and blank lines are not
 * added.
 */
export function addMissingLines(text: string, lines: readonly string[]): string {
  const present = new Set(text.split('\n').map((line) => line.trim()));
  const missing = lines.filter((line) => line !== '' && !line.startsWith('#') && !present.has(line));
  if (missing.length === 0) return text;
  const eol = lineEndingOf(text);
  const gap = text === '' || text.endsWith('\n') ? '' : eol;
  return `${text}${gap}${missing.join(eol)}${eol}`;
}
