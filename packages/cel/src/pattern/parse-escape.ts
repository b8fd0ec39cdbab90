import type { CharacterSet } from './character-set.ts';
import { PatternError } from './pattern-error.ts';
import type { PatternReader } from './pattern-reader.ts';
import { unicodeSet } from './unicode-set.ts';

const controlCharacters: Readonly<Record<string, number>> = { a: 7, f: 12, n: 10, r: 13, t: 9, v: 11 };

const characterSets: Readonly<Record<string, string>> = { d: '0-9', s: '\\t\\n\\f\\r ', w: '0-9A-Za-z_' };

/** `[0-9A-Za-z_]`. */
export function isWordCharacter(c: number): boolean {
  return (c >= 48 && c <= 57) || (c >= 65 && c <= 90) || (c >= 97 && c <= 122) || c === 95;
}

/**
 * Parses the set of an escape like `\d`, `\W` or `\p{Greek}` after its backslash.
 *
 * @returns undefined when it is not a set; nothing is read then
 */
export function parseSetEscape(reader: PatternReader): CharacterSet | undefined {
  const letter = reader.peek();
  const source = characterSets[letter.toLowerCase()];
  if (source) {
    reader.next();
    return { source, negated: letter !== letter.toLowerCase() };
  }
  return letter === 'p' || letter === 'P' ? parseUnicodeSet(reader) : undefined;
}

function parseUnicodeSet(reader: PatternReader): CharacterSet {
  const from = reader.at - 1;
  let negated = reader.next() === 'P';
  const braced = reader.take('{');
  if (braced && reader.take('^')) negated = !negated;
  const name = braced ? reader.takeWhile(/[^}]/) : reader.next();
  if (braced && !reader.take('}'))
    throw new PatternError('\\p{ is not closed', 'invalid character class range', reader.slice(from));
  const set = unicodeSet(name);
  if (!set) {
    throw new PatternError(
      `\\p{${name}} is not a Unicode class`,
      'invalid character class range',
      reader.slice(from),
      'write a category like \\p{Lu} or a script like \\p{Greek}',
    );
  }
  return { source: set.source, negated: set.negated !== negated };
}

/**
 * Parses the character of an escape like `
 *
 * `, `\x41` or `\.` after its backslash.
 */
export function parseCharacterEscape(reader: PatternReader): number {
  const from = reader.at - 1;
  const letter = reader.next();
  if (letter === '')
    throw new PatternError('it ends with a backslash', 'trailing backslash at end of expression', '');
  const control = controlCharacters[letter];
  if (control !== undefined) return control;
  if (letter === 'x') return parseHex(reader, from);
  if (/[0-7]/.test(letter)) return parseOctal(reader, from, letter);
  // Punctuation stands for itself; letters are reserved.
  if (letter <= '\u{7f}' && !/[0-9A-Za-z]/.test(letter)) return letter.codePointAt(0)!;
  const hint = letter === 'u' ? 'write \\x{…} with the code point' : letter === 'Z' ? 'write \\z' : undefined;
  throw invalidEscape(reader, from, `\\${letter} is not an escape`, hint);
}

function parseOctal(reader: PatternReader, from: number, first: string): number {
  if (first !== '0' && !/[0-7]/.test(reader.peek()))
    throw invalidEscape(reader, from, `it refers back to group ${first}`, 'RE2 has no backreferences');
  let digits = first;
  while (digits.length < 3 && /[0-7]/.test(reader.peek())) digits += reader.next();
  return Number.parseInt(digits, 8);
}

function parseHex(reader: PatternReader, from: number): number {
  const braced = reader.take('{');
  let value = 0;
  for (let count = 0; ; count++) {
    if (!braced && count === 2) return value;
    const digit = reader.next();
    if (braced && digit === '}' && count > 0) return value;
    value = value * 16 + (/^[0-9A-Fa-f]$/.test(digit) ? Number.parseInt(digit, 16) : Number.NaN);
    if (value <= 0x10_ffff) continue;
    // Go reads two characters before it judges either.
    if (!braced && count === 0) reader.next();
    const message = '\\x is not followed by a code point';
    throw invalidEscape(reader, from, message, 'write \\x41 or \\x{1F600}');
  }
}

function invalidEscape(reader: PatternReader, from: number, message: string, hint?: string): PatternError {
  return new PatternError(message, 'invalid escape sequence', reader.slice(from), hint);
}
