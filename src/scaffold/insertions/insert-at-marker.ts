import { OtsError } from '../../errors/ots-error.ts';
import { lineEndingOf } from './line-ending.ts';

/** A line of a TypeScript file above which ots adds lines, for example `// +ots:scaffold:controllers`. */
export type Marker = `// +ots:scaffold:${string}`;

/**
 * Adds one line above a marker, indented like the marker, unless the text has it. Every other byte of the text stays.
 *
 * @param path names the file in errors
 * @throws OtsError `MISSING_MARKER` with the exact lines to paste
 */
export function insertAtMarker(text: string, path: string, marker: Marker, line: string): string {
  const lines = text.split('\n');
  if (lines.some((existing) => existing.trim() === line)) return text;
  const index = lines.findIndex((existing) => existing.trim() === marker);
  const found = lines[index];
  if (found === undefined) {
    throw new OtsError('MISSING_MARKER', `${path} does not have the line "${marker}"`, {
      hint: `Restore it where these lines belong, and run the command again:\n    ${line}\n    ${marker}`,
    });
  }
  const indent = found.slice(0, found.length - found.trimStart().length);
  const carriageReturn = lineEndingOf(text) === '\r\n' ? '\r' : '';
  lines.splice(index, 0, `${indent}${line}${carriageReturn}`);
  return lines.join('\n');
}
