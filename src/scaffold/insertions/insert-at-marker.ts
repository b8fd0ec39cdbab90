import { OtsError } from '../../errors/ots-error.ts';
import { lineEndingOf } from './line-ending.ts';

/** A line of a TypeScript file above which ots adds lines, for example `// +ots:scaffold:controllers`. */
export type Marker = `// +ots:scaffold:${string}`;

/**
 * Adds one line above a marker, indented like the marker. A line that is there already is not added again; every
 * other byte of the text stays as it is.
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
    throw new OtsError('MISSING_MARKER', `${path} has lost the line "${marker}"`, {
      hint: `Put it back where this belongs, and run the command again:\n    ${line}\n    ${marker}`,
    });
  }
  const indent = found.slice(0, found.length - found.trimStart().length);
  const carriageReturn = lineEndingOf(text) === '\r\n' ? '\r' : '';
  lines.splice(index, 0, `${indent}${line}${carriageReturn}`);
  return lines.join('\n');
}
