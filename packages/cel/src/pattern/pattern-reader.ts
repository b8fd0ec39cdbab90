/** A pattern as code points, and how far it is read. */
export class PatternReader {
  readonly #characters: readonly string[];
  at = 0;

  constructor(pattern: string) {
    this.#characters = Array.from(pattern);
  }

  get done(): boolean {
    return this.at >= this.#characters.length;
  }

  /** The character `ahead` of the next one; empty beyond the end. */
  peek(ahead = 0): string {
    return this.#characters[this.at + ahead] ?? '';
  }

  next(): string {
    return this.#characters[this.at++] ?? '';
  }

  /** Reads `text` if it is what comes next. */
  take(text: string): boolean {
    for (let i = 0; i < text.length; i++) {
      if (this.peek(i) !== text[i]) return false;
    }
    this.at += text.length;
    return true;
  }

  /** Reads the longest run of characters that a pattern allows. */
  takeWhile(allowed: RegExp): string {
    let run = '';
    while (!this.done && allowed.test(this.peek())) run += this.next();
    return run;
  }
}
