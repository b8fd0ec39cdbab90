import type { SourceText, Span } from '../source/source-text.ts';
import type { Diagnostic } from './diagnostic.ts';

/** Where a range of a file is, for people. An end beyond the line is cut at the end of the line. */
export function locate(
  source: SourceText,
  span: Span,
): Pick<Diagnostic, 'file' | 'line' | 'column' | 'length' | 'sourceLine'> {
  const { line, column } = source.positionAt(span.start);
  const sourceLine = source.line(line);
  const length = Math.max(1, Math.min(span.end - span.start, sourceLine.length - column + 1));
  return { file: source.path, line, column, length, sourceLine };
}
