import { maxDepth } from './depth.ts';

/** The tokens that may come next, as Go's message about anything else names them. */
type State = 'value' | 'valueOrEnd' | 'key' | 'keyOrEnd' | 'colon' | 'objectEnd' | 'listEnd' | 'end';

const messages: Readonly<Record<State, string>> = {
  value: 'looking for beginning of value',
  valueOrEnd: 'looking for beginning of value',
  key: 'looking for beginning of object key string',
  keyOrEnd: 'looking for beginning of object key string',
  colon: 'after object key',
  objectEnd: 'after object key:value pair',
  listEnd: 'after array element',
  end: 'after top-level value',
};

/**
 * Describes in Go's words why a text is not JSON, or that it is nested too deeply.
 *
 * @param text a text that `JSON.parse` or {@link isTooDeep} rejects
 */
export function jsonSyntaxError(text: string): string {
  return new Scanner(text).scan() ?? 'unexpected end of JSON input';
}

/** Scans the text token by token, without recursion, so nesting cannot exhaust the stack. */
class Scanner {
  readonly #text: string;
  readonly #open: ('{' | '[')[] = [];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  scan(): string | undefined {
    let state: State | undefined = 'value';
    while (state !== undefined) {
      this.#skip(/[ \t\r\n]*/y);
      const character = this.#text[this.#at];
      if (character === undefined) return undefined;
      const next: State | string[] | undefined = this.#step(state, character);
      if (Array.isArray(next)) return next[0];
      state = next;
    }
    return undefined;
  }

  /** @returns the next state, or the problem in a list; undefined when the text ends too early */
  #step(state: State, character: string): State | string[] | undefined {
    const isEnd = character === '}' || character === ']';
    if (isEnd && this.#mayEnd(state, character)) {
      this.#at += 1;
      this.#open.pop();
      return this.#behindValue();
    }
    if (state === 'value' || state === 'valueOrEnd') return this.#value(character);
    if (state === 'key' || state === 'keyOrEnd')
      return character === '"' ? this.#string('colon') : this.#wrong(messages[state]);
    if (state === 'colon' && character === ':') return this.#pass('value');
    if (state === 'objectEnd' && character === ',') return this.#pass('key');
    if (state === 'listEnd' && character === ',') return this.#pass('value');
    return this.#wrong(messages[state]);
  }

  #mayEnd(state: State, character: string): boolean {
    return character === '}'
      ? state === 'keyOrEnd' || state === 'objectEnd'
      : state === 'valueOrEnd' || state === 'listEnd';
  }

  #value(character: string): State | string[] | undefined {
    if (character === '{' || character === '[') {
      if (this.#open.length === maxDepth) return this.#wrong('exceeded max depth');
      this.#open.push(character);
      return this.#pass(character === '{' ? 'keyOrEnd' : 'valueOrEnd');
    }
    if (character === '"') return this.#string(this.#behindValue());
    const word = { t: 'true', f: 'false', n: 'null' }[character];
    if (word !== undefined) return this.#word(word);
    if (character === '-' || isDigit(character)) return this.#number();
    return this.#wrong(messages.value);
  }

  #behindValue(): State {
    const open = this.#open.at(-1);
    if (open === undefined) return 'end';
    return open === '{' ? 'objectEnd' : 'listEnd';
  }

  #pass(next: State): State {
    this.#at += 1;
    return next;
  }

  #string(next: State): State | string[] | undefined {
    this.#at += 1;
    for (;;) {
      // oxlint-disable-next-line no-control-regex
      this.#skip(/[^"\\\u0000-\u001F]*/y);
      const character = this.#text[this.#at];
      if (character === undefined) return undefined;
      if (character === '"') return this.#pass(next);
      if (character !== '\\') return this.#wrong('in string literal');
      const escape = this.#skip(/\\(?:u[0-9a-fA-F]{0,4}|["\\/bfnrt])?/y);
      if (this.#text[this.#at] === undefined) return undefined;
      if (escape.startsWith('\\u') && escape.length < 6)
        return this.#wrong('in \\u hexadecimal character escape');
      if (escape === '\\') return this.#wrong('in string escape code');
    }
  }

  #word(word: string): State | string[] | undefined {
    for (const letter of word) {
      const character = this.#text[this.#at];
      if (character === undefined) return undefined;
      if (character !== letter) return this.#wrong(`in literal ${word} (expecting '${letter}')`);
      this.#at += 1;
    }
    return this.#behindValue();
  }

  #number(): State | string[] | undefined {
    if (this.#text[this.#at] === '-') this.#at += 1;
    const steps: [RegExp, string][] = [[/0|[1-9]\d*/y, 'in numeric literal']];
    for (const [digits, message] of steps) {
      if (this.#skip(digits) === '') return this.#endOr(message);
      if (message !== 'in exponent of numeric literal' && this.#skip(/[eE][-+]?/y) !== '')
        steps.push([/\d+/y, 'in exponent of numeric literal']);
      else if (message === 'in numeric literal' && this.#skip(/\./y) !== '')
        steps.push([/\d+/y, 'after decimal point in numeric literal']);
    }
    return this.#behindValue();
  }

  #endOr(message: string): string[] | undefined {
    return this.#text[this.#at] === undefined ? undefined : this.#wrong(message);
  }

  #skip(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [found = ''] = pattern.exec(this.#text) ?? [];
    this.#at += found.length;
    return found;
  }

  #wrong(message: string): string[] {
    // Go works on bytes and prints the one it cannot use.
    const [byte = 0] = Buffer.from(String.fromCodePoint(this.#text.codePointAt(this.#at) ?? 0));
    return [`invalid character ${quoteByte(byte)} ${message}`];
  }
}

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9';
}

const escapes: Readonly<Record<number, string>> = {
  7: String.raw`\a`,
  8: String.raw`\b`,
  9: String.raw`\t`,
  10: String.raw`\n`,
  11: String.raw`\v`,
  12: String.raw`\f`,
  13: String.raw`\r`,
  39: String.raw`\'`,
  92: String.raw`\\`,
};

function quoteByte(byte: number): string {
  const isPrintable = (byte >= 0x20 && byte < 0x7f) || (byte > 0xa0 && byte !== 0xad);
  const hexadecimal = byte < 0x80 ? `\\x${hex(byte, 2)}` : `\\u${hex(byte, 4)}`;
  return `'${escapes[byte] ?? (isPrintable ? String.fromCodePoint(byte) : hexadecimal)}'`;
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}
