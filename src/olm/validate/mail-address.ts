import { isIP } from 'node:net';

/**
 * Whether a text is one mail address, perhaps with a name: `Ada <ada@example.org>`. Comments may follow. A group counts if it has
 * exactly one address. Source: RFC 5322, as far as Go's net/mail reads it.
 */
export function isMailAddress(text: string): boolean {
  const reader = new Reader(text);
  return reader.readAddress() && reader.isAtEnd();
}

const word = String.raw`[!#-'*+\-/-9=?A-Z^-~\u{80}-\u{10ffff}]+`;
const dotted = new RegExp(`${word}(?:\\.${word})*`, 'uy');
const looseWord = new RegExp(String.raw`(?:[!#-'*+\-./-9=?A-Z^-~]|[\u{80}-\u{10ffff}])+`, 'uy');
const quotedText = /"(?:[^"\\\r\n]|\\[^\r\n])*"/uy;
const literal = /\[[^[\]\\]*\]/uy;
const blanks = /[ \t]*/y;
const comment = /\((?:[^()\\]|\\.)*\)/y;

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  readAddress(): boolean {
    this.#take(blanks);
    const start = this.#at;
    if (this.#readPlain()) return true;
    this.#at = start;
    if (this.#text[this.#at] !== '<' && !this.#readName()) return false;
    this.#take(blanks);
    if (this.#takeText(':')) return this.#readGroup();
    return this.#takeText('<') && this.#readPlain() && this.#takeText('>');
  }

  isAtEnd(): boolean {
    do this.#take(blanks);
    while (this.#take(comment));
    return this.#at === this.#text.length;
  }

  /** `local@domain`. */
  #readPlain(): boolean {
    this.#take(blanks);
    const local = this.#take(quotedText) ?? this.#take(dotted);
    if (local === undefined || local === '""') return false;
    if (!this.#takeText('@')) return false;
    this.#take(blanks);
    const ip = this.#take(literal);
    if (ip !== undefined) return isIP(ip.slice(1, -1)) !== 0 && !ip.includes('%');
    return this.#take(dotted) !== undefined && this.#text[this.#at] !== '.';
  }

  /** The words before an address. */
  #readName(): boolean {
    let count = 0;
    for (;;) {
      this.#take(blanks);
      if (this.#take(quotedText) === undefined && this.#take(looseWord) === undefined) return count > 0;
      count += 1;
    }
  }

  /** The rest of `name: address;`. */
  #readGroup(): boolean {
    if (!this.readAddress()) return false;
    this.#take(blanks);
    return this.#takeText(';');
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (!match) return undefined;
    this.#at = pattern.lastIndex;
    return match[0];
  }

  #takeText(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }
}
