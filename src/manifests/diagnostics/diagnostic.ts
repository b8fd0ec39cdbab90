import type { SourceText, Span } from '../source/source-text.ts';

/** One error in the author's sources, with everything needed to print it without reading the file again. */
export interface Diagnostic {
  /** Stable identifier of the rule that was broken, for machines (`--json`). */
  readonly code: string;
  /** Project-relative POSIX path. */
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  /** 1-based, in UTF-16 code units. */
  readonly column: number;
  /** How many UTF-16 code units of the source line the error covers; at least 1. */
  readonly length: number;
  /** What is wrong, in one line. */
  readonly message: string;
  /** What to do about it. */
  readonly hint?: string;
  /** The source line at `line`, without its line ending. */
  readonly sourceLine: string;
}

/**
 * Converts a range of a file to a line and column. A range that extends beyond its first line is cut off
 * there.
 */
export function locate(
  source: SourceText,
  span: Span,
): Pick<Diagnostic, 'file' | 'line' | 'column' | 'length' | 'sourceLine'> {
  const { line, column } = source.positionAt(span.start);
  const sourceLine = source.line(line);
  const length = Math.max(1, Math.min(span.end - span.start, sourceLine.length - column + 1));
  return { file: source.path, line, column, length, sourceLine };
}
