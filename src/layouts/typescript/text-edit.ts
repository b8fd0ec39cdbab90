/** A part of a text and its replacement. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies edits that do not overlap. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  return edits
    .toSorted((a, b) => b.start - a.start)
    .reduce((edited, { start, end, text: part }) => edited.slice(0, start) + part + edited.slice(end), text);
}

/**
 * Returns the end of an offset's line, after its comment and line break, or the offset itself if more code
 * follows.
 */
export function endOfLine(text: string, offset: number): number {
  const rest = /^[ \t]*(?:\/\/[^\n]*|\/\*[^\n]*?\*\/[ \t]*)?(?:\r?\n|$)/.exec(text.slice(offset));
  return offset + (rest?.[0].length ?? 0);
}
