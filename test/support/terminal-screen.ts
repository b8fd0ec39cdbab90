import xterm, { type Terminal } from '@xterm/headless';

/** What a person sees on a terminal after a program wrote to it. */
export class TerminalScreen {
  readonly #terminal: Terminal;
  #written = '';
  #settled: Promise<void> = Promise.resolve();

  constructor(columns: number, rows: number) {
    this.#terminal = new xterm.Terminal({
      cols: columns,
      rows,
      scrollback: 10_000,
      allowProposedApi: true,
      // As the terminal driver does for a program that writes a newline.
      convertEol: true,
    });
  }

  write(text: string): void {
    this.#written += text;
    this.#settled = new Promise((resolve) => this.#terminal.write(text, resolve));
  }

  resize(columns: number, rows: number): void {
    this.#terminal.resize(columns, rows);
  }

  /** All that was written, with escape sequences. */
  get written(): string {
    return this.#written;
  }

  /** The terminal, when it has shown all that was written. */
  async settled(): Promise<Terminal> {
    await this.#settled;
    return this.#terminal;
  }

  /** The rows on the screen, without blanks at their ends and empty rows at the end. */
  async rows(): Promise<string[]> {
    return this.#linesFrom(this.#terminal.buffer.active.baseY);
  }

  /** The rows on the screen and those above it that a person can scroll back to. */
  async allRows(): Promise<string[]> {
    return this.#linesFrom(0);
  }

  /** Whether a program has the whole screen to itself. */
  async isAlternate(): Promise<boolean> {
    await this.#settled;
    return this.#terminal.buffer.active.type === 'alternate';
  }

  get isCursorHidden(): boolean {
    return this.#written.lastIndexOf('\u001B[?25l') > this.#written.lastIndexOf('\u001B[?25h');
  }

  async #linesFrom(first: number): Promise<string[]> {
    await this.#settled;
    const { active } = this.#terminal.buffer;
    const lines = Array.from({ length: active.length - first }, (_, index) =>
      (active.getLine(first + index)?.translateToString(true) ?? '').trimEnd(),
    );
    return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1);
  }
}
