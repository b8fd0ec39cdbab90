import type { Json } from '../schema/schema.ts';
import { scanQuoted } from './scan-quoted.ts';

/** Bounds the recursion. Real values are less deep. */
const maxDepth = 100;
const numberToken = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?=\s*(?:[,;}]|$))/y;
const booleanToken = /(?:true|false)(?=\s*(?:[,;}]|$))/y;
const keyToken = /\s*(?:"(?:[^"\\]|\\.)*"|`[^`]*`|[^\s:,;{}"`][^:,;{}"`]*)\s*:/y;

/**
 * Reads a value in the grammar of controller-gen's markers: `"text"`, `` `text` ``, `text`, `1`, `true`,
 * `a;b`, `{a, b}`, `{key: value}`. The start of the text determines the kind of the value. A number or `true`
 * counts only if nothing is attached to it (`100Mi` is a string).
 * @throws Error with a message for the author if it is invalid
 */
export function parseMarkerValue(text: string): Json {
  const reader = new Reader(text);
  const value = reader.value();
  reader.expectEnd();
  return value;
}

class Reader {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  expectEnd(): void {
    this.#skipBlanks();
    if (this.#at < this.#text.length) throw new Error(`unexpected ${this.#text.slice(this.#at)}`);
  }

  /** Reads a value, or a list without braces. */
  value(): Json {
    const first = this.#single();
    if (!this.#take(';')) return first;
    const items = [first];
    do items.push(this.#single());
    while (this.#take(';'));
    return items;
  }

  #single(): Json {
    this.#skipBlanks();
    const char = this.#text[this.#at];
    if (char === '"' || char === '`') return this.#quoted();
    if (char === '{') return this.#braces();
    const word = this.#match(booleanToken);
    if (word !== undefined) return word === 'true';
    const number = this.#match(numberToken);
    if (number !== undefined && Number.isFinite(Number(number))) return Number(number);
    return this.#bare(',;}');
  }

  #braces(): Json {
    if (++this.#depth > maxDepth) throw new Error('it is nested too deeply');
    this.#at++;
    keyToken.lastIndex = this.#at;
    const value = this.#take('}') ? {} : keyToken.test(this.#text) ? this.#map() : this.#list();
    this.#depth--;
    return value;
  }

  #map(): Json {
    const map: { [key: string]: Json } = {};
    do {
      this.#skipBlanks();
      const char = this.#text[this.#at];
      const key = char === '"' || char === '`' ? this.#quoted() : this.#bare(',;}:');
      if (!this.#take(':')) throw new Error(`expected a colon after ${key}`);
      const value = this.value();
      Object.defineProperty(map, key, { value, enumerable: true, writable: true, configurable: true });
    } while (this.#take(','));
    this.#close();
    return map;
  }

  #list(): Json {
    const items: Json[] = [];
    do items.push(this.value());
    while (this.#take(','));
    this.#close();
    return items;
  }

  #close(): void {
    if (!this.#take('}')) throw new Error('a } is missing');
  }

  #quoted(): string {
    const quoted = scanQuoted(this.#text, this.#at);
    if ('message' in quoted) throw new Error(quoted.message);
    this.#at = quoted.end;
    return quoted.value;
  }

  #bare(stop: string): string {
    const from = this.#at;
    while (this.#at < this.#text.length && !stop.includes(this.#text[this.#at]!)) this.#at++;
    const value = this.#text.slice(from, this.#at).trim();
    if (value === '') throw new Error('a value is missing');
    return value;
  }

  #take(char: string): boolean {
    this.#skipBlanks();
    if (this.#text[this.#at] !== char) return false;
    this.#at++;
    return true;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const [found] = pattern.exec(this.#text) ?? [];
    this.#at += found?.length ?? 0;
    return found;
  }

  #skipBlanks(): void {
    while (/\s/.test(this.#text[this.#at] ?? '')) this.#at++;
  }
}
