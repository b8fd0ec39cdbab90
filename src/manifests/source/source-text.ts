/** A half-open range of UTF-16 offsets. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The text of a file, and conversion of its offsets to lines and columns. */
export class SourceText {
  /** Project-relative POSIX path. */
  readonly path: string;
  /** Without a byte order mark, so the columns of the first line match an editor's. */
  readonly text: string;
  #lineStarts: number[] | undefined;

  constructor(path: string, text: string) {
    this.path = path;
    this.text = text.startsWith('\u{feff}') ? text.slice(1) : text;
  }

  /** Returns the 1-based line and column (UTF-16 code units) of an offset. */
  positionAt(offset: number): { line: number; column: number } {
    const starts = this.#starts();
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - starts[low]! + 1 };
  }

  /** Returns the text of a 1-based line, without its line ending. */
  line(line: number): string {
    const starts = this.#starts();
    return this.text.slice(starts[line - 1], starts[line]).replace(/\r?\n$|\r$/, '');
  }

  #starts(): number[] {
    if (!this.#lineStarts) {
      this.#lineStarts = [0];
      for (const ending of this.text.matchAll(/\r\n|\n|\r/g)) {
        this.#lineStarts.push(ending.index + ending[0].length);
      }
    }
    return this.#lineStarts;
  }
}
