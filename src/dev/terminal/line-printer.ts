import { describeTime } from './describe.ts';
import { type Line, type Span, type Style, renderLine, span } from './line.ts';
import { widthOf } from './width.ts';

export interface LinePrinterOptions {
  /** The time of day. */
  readonly now: () => Date;
  readonly columns: number;
  readonly hasColors: boolean;
  /** Prints lines that end in a newline. */
  readonly write: (text: string) => void;
}

/** Where the text of a line starts, after the time and a label such as `reconcile`. */
const indent = '21:34:20 reconcile  '.length;
const gap = 2;

const labelStyles: Readonly<Record<string, Style>> = {
  problem: 'red',
  error: 'red',
  warning: 'yellow',
  solved: 'green',
};

/** Prints lines with the time and a label. A part that does not fit into the columns starts a line, and is never broken. */
export class LinePrinter {
  readonly #options: LinePrinterOptions;

  constructor(options: LinePrinterOptions) {
    this.#options = options;
  }

  print(label: string, parts: readonly Span[]): void {
    const { now, columns, hasColors, write } = this.#options;
    const time = describeTime(now());
    const head = [
      span(`${time} `, 'dim'),
      span(label.padEnd(indent - time.length - 1), labelStyles[label] ?? 'cyan'),
    ];
    const lines = breakParts(parts, columns - indent).map((line, index) =>
      index === 0 ? [...head, ...line] : [span(' '.repeat(indent)), ...line],
    );
    write(lines.map((line) => `${renderLine(line, hasColors)}\n`).join(''));
  }
}

function breakParts(parts: readonly Span[], columns: number): Line[] {
  const lines: Span[][] = [];
  let width = Infinity;
  for (const part of parts) {
    width += gap + widthOf(part.text);
    if (width <= columns) lines.at(-1)!.push(span(' '.repeat(gap)), part);
    else {
      lines.push([part]);
      width = widthOf(part.text);
    }
  }
  return lines;
}
