/** A pattern as code points, with a reading position. */
export class PatternReader {
  readonly #characters: readonly string[];
  readonly #absent = new Set<string>();
  at = 0;

  constructor(pattern: string) {
    this.#characters = Array.from(pattern);
  }

  get length(): number {
    return this.#characters.length;
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

  /** The text from one position to another, by default to the next character. */
  slice(from: number, to = this.at): string {
    return this.#characters.slice(from, to).join('');
  }

  /** The next position of `text`; -1 when there is none, which is cached for repeated calls. */
  find(text: string): number {
    for (let at = this.at; at < this.#characters.length && !this.#absent.has(text); at++) {
      if (this.slice(at, at + text.length) === text) return at;
    }
    this.#absent.add(text);
    return -1;
  }

  /** Reads `text` if it comes next. */
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
