import { type JsonObject, setKey } from '../objects/json-object.ts';
import { JsonNumber } from './json-number.ts';

/** The entries of an object that has a key twice, in their order. */
export const allEntries: unique symbol = Symbol('all entries');

/**
 * Parses a text that `JSON.parse` has accepted, and keeps what JavaScript would lose: how odd numbers are written (as
 * {@link JsonNumber}), and the entries of objects that have a key twice (as {@link allEntries}).
 *
 * @param text valid JSON whose nesting the stack can bear
 */
export function parseExact(text: string): unknown {
  return new ExactParser(text).parse();
}

/** Tells whether a number is one that JavaScript holds exactly, and writes as it is written here. */
export function isPlainNumber(literal: string): boolean {
  if (literal.length < 16 && /^(?:0|-?[1-9]\d*)$/.test(literal)) return true;
  const number = Number(literal);
  return `${number}` === literal && (Number.isSafeInteger(number) || !Number.isInteger(number));
}

class ExactParser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  parse(): unknown {
    this.#skipSpace();
    switch (this.#text[this.#at]) {
      case '{':
        return this.#parseObject();
      case '[':
        return this.#parseList();
      case '"':
        return this.#parseString();
      case 't':
        return this.#take(/true/y) && true;
      case 'f':
        return this.#take(/false/y) && false;
      case 'n':
        return this.#take(/null/y) && null;
      default:
        return this.#parseNumber();
    }
  }

  #parseObject(): JsonObject {
    const object: JsonObject = {};
    const entries: [string, unknown][] = [];
    for (this.#at += 1; !this.#isAt('}'); this.#isAt(',')) {
      const key = this.#parseString();
      this.#isAt(':');
      entries.push([key, this.parse()]);
    }
    for (const [key, value] of entries) setKey(object, key, value);
    if (Object.keys(object).length === entries.length) return object;
    return Object.assign(object, { [allEntries]: entries });
  }

  #parseList(): unknown[] {
    const list: unknown[] = [];
    for (this.#at += 1; !this.#isAt(']'); this.#isAt(',')) list.push(this.parse());
    return list;
  }

  #parseString(): string {
    const value: unknown = JSON.parse(this.#take(/"(?:[^"\\]|\\.)*"/y));
    return String(value);
  }

  #parseNumber(): number | JsonNumber {
    const literal = this.#take(/[-+.\deE]+/y);
    return isPlainNumber(literal) ? Number(literal) : new JsonNumber(literal);
  }

  /** Steps over a character, if it is the next one that is no space; and over the space behind it. */
  #isAt(character: string): boolean {
    this.#skipSpace();
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    this.#skipSpace();
    return true;
  }

  #skipSpace(): void {
    this.#take(/\s*/y);
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [found = ''] = pattern.exec(this.#text) ?? [];
    this.#at += found.length;
    return found;
  }
}
