/** A part of a text, and what takes its place. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Makes edits that do not overlap. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  return edits
    .toSorted((a, b) => b.start - a.start)
    .reduce((edited, { start, end, text: part }) => edited.slice(0, start) + part + edited.slice(end), text);
}

/** Where the line of an offset ends, behind its comment and its line break; the offset itself where more code follows. */
export function endOfLine(text: string, offset: number): number {
  const rest = /^[ \t]*(?:\/\/[^\n]*|\/\*[^\n]*?\*\/[ \t]*)?(?:\r?\n|$)/.exec(text.slice(offset));
  return offset + (rest?.[0].length ?? 0);
}
