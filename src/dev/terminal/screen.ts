import { type Line, renderLine } from './line.ts';

/** Escape sequences of a terminal (https://invisible-island.net/xterm/ctlseqs/ctlseqs.html). */
const escapes = {
  /** The alternate screen, without a cursor; a line that is too long ends at the edge. */
  open: '\u001B[?1049h\u001B[?25l\u001B[?7l',
  close: '\u001B[?7h\u001B[?25h\u001B[?1049l',
  /** A terminal that knows these shows all that is between them at once. */
  begin: '\u001B[?2026h',
  end: '\u001B[?2026l',
  clear: '\u001B[2J',
  clearedRow: (row: number) => `\u001B[${row + 1};1H\u001B[2K`,
} as const;

/**
 * Shows frames on a terminal, in its alternate screen: what was there before is there afterwards. Each row is put in its place, so a
 * terminal that disagrees about the width of a character spoils no other row.
 */
export class Screen {
  readonly #write: (text: string) => unknown;
  readonly #hasColors: boolean;
  /** What each row shows; undefined when unknown. */
  #rows: readonly string[] | undefined;
  #isOpen = false;

  constructor(write: (text: string) => unknown, hasColors: boolean) {
    this.#write = write;
    this.#hasColors = hasColors;
  }

  /** Writes the rows that differ from those of the last frame. */
  draw(frame: readonly Line[]): void {
    const rows = frame.map((line) => renderLine(line, this.#hasColors));
    const old = this.#rows;
    const changed = rows.flatMap((row, index) =>
      old?.[index] === row ? [] : [`${escapes.clearedRow(index)}${row}`],
    );
    const surplus = (old ?? []).slice(rows.length).map((_, index) => escapes.clearedRow(rows.length + index));
    this.#rows = rows;
    const text = [...(old ? [] : [escapes.clear]), ...changed, ...surplus].join('');
    if (text === '') return;
    const opening = this.#isOpen ? '' : escapes.open;
    this.#isOpen = true;
    this.#write(`${opening}${escapes.begin}${text}${escapes.end}`);
  }

  /** Draws all rows the next time: the size changed, or another program wrote on the terminal. */
  forget(): void {
    this.#rows = undefined;
  }

  /** Gives the terminal back as it was. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#rows = undefined;
    this.#write(escapes.close);
  }
}
