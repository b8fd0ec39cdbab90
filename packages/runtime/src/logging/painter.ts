import { styleText } from 'node:util';

/** Colors the parts of a log line. */
export interface Painter {
  /** Formats the level, in capitals and padded to the longest. */
  level(name: string): string;
  hint(text: string): string;
  /** Dims details. */
  faint(text: string): string;
}

type Style = Parameters<typeof styleText>[0];

const levels: Readonly<Record<string, Style>> = {
  trace: 'gray',
  debug: 'blue',
  info: 'green',
  warn: 'yellow',
  error: 'red',
  fatal: ['bold', 'red'],
};

/** @param colors false returns every text unchanged. */
export function painter(colors: boolean): Painter {
  // The caller has checked the stream: newer versions of Node would check standard output.
  const styled = (style: Style, text: string): string =>
    colors ? styleText(style, text, { validateStream: false }) : text;
  return {
    level: (name) => styled(levels[name] ?? 'gray', name.toUpperCase().padEnd(5)),
    hint: (text) => styled('cyan', text),
    faint: (text) => styled('gray', text),
  };
}
