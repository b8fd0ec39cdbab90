import { styleText } from 'node:util';
import { oneLine } from '../../output/one-line.ts';

export type Style = 'red' | 'green' | 'yellow' | 'cyan' | 'dim' | 'bold' | 'inverse';

/** A part of a line that looks the same all over. It has no control characters: those of a cluster must never reach a terminal. */
export interface Span {
  readonly text: string;
  readonly style?: Style;
}

/** What a terminal shows in one row. */
export type Line = readonly Span[];

/** The only way to make a span: text from a cluster or a process may contain anything. */
export function span(text: string, style?: Style): Span {
  const safe = oneLine(text);
  return style === undefined ? { text: safe } : { text: safe, style };
}

export function textOf(line: Line): string {
  return line.map(({ text }) => text).join('');
}

/** @param hasColors whether to add the escape sequences of the styles */
export function renderLine(line: Line, hasColors: boolean): string {
  if (!hasColors) return textOf(line);
  return line
    .map(({ text, style }) =>
      style === undefined ? text : styleText(style, text, { validateStream: false }),
    )
    .join('');
}
