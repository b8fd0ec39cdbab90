import { type JsonObject, setKey } from './json-object.ts';
import { JsonNumber } from './json-number.ts';

/** The entries of an object with duplicate keys, in their order. */
export const allEntries: unique symbol = Symbol('all entries');

/**
 * Parses a text that `JSON.parse` accepts and keeps what JavaScript would lose: the literals of unusual numbers
 * (as {@link JsonNumber}) and the entries of objects with duplicate keys (as {@link allEntries}).
 *
 * @param text valid JSON
 */
export function parseExact(text: string): unknown {
  return new ExactParser(text).parse();
}

/** Whether JavaScript represents a number exactly and writes it with the same literal. */
export function isPlainNumber(literal: string): boolean {
  if (literal.length < 16 && /^(?:0|-?[1-9]\d*)$/.test(literal)) return true;
  const number = Number(literal);
  return `${number}` === literal && (Number.isSafeInteger(number) || !Number.isInteger(number));
}

/** Placeholder for the value of a list or an object that is not complete yet. */
const unfinished: unique symbol = Symbol('unfinished');

/** A list or an object that is not complete yet. */
interface Open {
  readonly isMap: boolean;
  /** The entries read so far; the keys of a list are empty. */
  readonly entries: [key: string, value: unknown][];
  /** The key of the next value. */
  key: string;
}

/** Works without recursion, so nesting cannot exhaust the stack. */
class ExactParser {
  readonly #text: string;
  readonly #open: Open[] = [];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  parse(): unknown {
    for (;;) {
      let value = this.#begin();
      for (;;) {
        if (value === unfinished) break;
        const open = this.#open.at(-1);
        if (!open) return value;
        open.entries.push([open.key, value]);
        this.#isAt(',');
        value = this.#next(open);
      }
    }
  }

  /** Reads a scalar, or the beginning of a list or an object. */
  #begin(): unknown {
    this.#skipSpace();
    switch (this.#text[this.#at]) {
      case '{':
        return this.#openContainer(true);
      case '[':
        return this.#openContainer(false);
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

  #openContainer(isMap: boolean): unknown {
    this.#at += 1;
    const open = { isMap, entries: [], key: '' };
    this.#open.push(open);
    return this.#next(open);
  }

  /** Advances to the next value of the open list or object, or past its end. */
  #next(open: Open): unknown {
    if (this.#isAt(open.isMap ? '}' : ']')) {
      this.#open.pop();
      return open.isMap ? objectOf(open.entries) : open.entries.map(([, value]) => value);
    }
    if (open.isMap) {
      open.key = this.#parseString();
      this.#isAt(':');
    }
    return unfinished;
  }

  #parseString(): string {
    const value: unknown = JSON.parse(this.#take(/"(?:[^"\\]|\\.)*"/y));
    return String(value);
  }

  #parseNumber(): number | JsonNumber {
    const literal = this.#take(/[-+.\deE]+/y);
    return isPlainNumber(literal) ? Number(literal) : new JsonNumber(literal);
  }

  /** Skips a character if it comes next after whitespace, and the whitespace after it. */
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

function objectOf(entries: readonly [key: string, value: unknown][]): JsonObject {
  const object: JsonObject = {};
  for (const [key, value] of entries) setKey(object, key, value);
  if (Object.keys(object).length === entries.length) return object;
  return Object.assign(object, { [allEntries]: entries });
}
