import { type Line, type Span, type Style, span } from './line.ts';
import { cutText, widthOf } from './width.ts';

export function widthOfLine(line: Line): number {
  return line.reduce((width, { text }) => width + widthOf(text), 0);
}

/** A line that ends in `…` if it does not fit. */
export function fitLine(line: Line, columns: number): Line {
  if (widthOfLine(line) <= columns) return line;
  const fitted: Span[] = [];
  let left = columns - 1;
  for (const each of line) {
    const width = widthOf(each.text);
    if (width > left) {
      fitted.push({ ...each, text: `${cutText(each.text, left)}…` });
      break;
    }
    fitted.push(each);
    left -= width;
  }
  return fitted;
}

/** A line filled with blanks to some columns, or fitted into them. */
export function padLine(line: Line, columns: number): Line {
  const fitted = fitLine(line, columns);
  return [...fitted, span(' '.repeat(Math.max(0, columns - widthOfLine(fitted))))];
}

/** Parts with two blanks between them, as many of the first ones as fit. The first one is always there. */
export function joinParts(parts: readonly Line[], columns: number): Line {
  const joined: Span[] = [];
  let left = columns;
  for (const [index, part] of parts.entries()) {
    const width = widthOfLine(part) + (index === 0 ? 0 : 2);
    if (index > 0 && width > left) break;
    if (index > 0) joined.push(span('  '));
    joined.push(...part);
    left -= width;
  }
  return fitLine(joined, columns);
}

export interface WrapOptions {
  readonly columns: number;
  /** What each line begins with. */
  readonly indent?: string;
  readonly style?: Style;
  /** Default: 20. The last line ends in `…` when there is more. */
  readonly maxLines?: number;
}

/** A text in lines; words that are too long for a line are broken. */
export function wrapText(text: string, { columns, indent = '', style, maxLines = 20 }: WrapOptions): Line[] {
  const width = Math.max(1, columns - indent.length);
  const lines: string[] = [];
  let line = '';
  for (const word of span(text).text.trim().split(/ +/)) {
    if (lines.length >= maxLines) break;
    const longer = line === '' ? word : `${line} ${word}`;
    let rest = longer;
    if (line !== '' && cutText(longer, width) !== longer) {
      lines.push(line);
      rest = word;
    }
    for (
      let start = cutText(rest, width);
      start !== rest && lines.length < maxLines;
      start = cutText(rest, width)
    ) {
      // A character that is wider than the line.
      start ||= rest.slice(0, 1);
      lines.push(start);
      rest = rest.slice(start.length);
    }
    line = rest;
  }
  const isCut = lines.length >= maxLines && line !== '';
  const shown = isCut
    ? [...lines.slice(0, maxLines - 1), `${cutText(lines[maxLines - 1]!, width - 1)}…`]
    : [...lines, line];
  return shown.map((each) => [span(indent), span(each, style)]);
}
