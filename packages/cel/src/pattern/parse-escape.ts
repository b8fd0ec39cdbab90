import type { CharacterTest } from './pattern-node.ts';
import { PatternError } from './pattern-error.ts';
import type { PatternReader } from './pattern-reader.ts';

const CONTROLS: Readonly<Record<string, number>> = { a: 7, f: 12, n: 10, r: 13, t: 9, v: 11 };

const SETS: Readonly<Record<string, CharacterTest>> = {
  d: (c) => c >= 48 && c <= 57,
  s: (c) => c === 32 || c === 9 || c === 10 || c === 12 || c === 13,
  w: isWordCharacter,
};

/** Names of scripts that look like the four-letter codes, which RE2 does not know. */
const FOUR_LETTER_SCRIPTS = new Set('Ahom Cham Kawi Lisu Miao Modi Newa Thai Toto'.split(' '));

/** `[0-9A-Za-z_]`. */
export function isWordCharacter(c: number): boolean {
  return (c >= 48 && c <= 57) || (c >= 65 && c <= 90) || (c >= 97 && c <= 122) || c === 95;
}

/**
 * Reads the set of an escape like `\d`, `\W` or `\p{Greek}` behind its backslash.
 * @returns undefined when it is no set; nothing is read then
 */
export function parseSetEscape(reader: PatternReader): CharacterTest | undefined {
  const letter = reader.peek();
  const set = SETS[letter.toLowerCase()];
  if (set) {
    reader.next();
    return letter === letter.toLowerCase() ? set : (c) => !set(c);
  }
  if (letter !== 'p' && letter !== 'P') return undefined;
  reader.next();
  const braced = reader.take('{');
  let negated = letter === 'P';
  if (braced && reader.take('^')) negated = !negated;
  const name = braced ? reader.takeWhile(/[^}]/) : reader.next();
  if (braced && !reader.take('}')) throw new PatternError('\\p{ is not closed');
  const test = unicodeSet(name);
  return negated ? (c) => !test(c) : test;
}

function unicodeSet(name: string): CharacterTest {
  if (name === 'Any') return () => true;
  const isCategory = /^[CLMNPSZ][a-z]?$/.test(name);
  const isScript = /^[A-Z][A-Za-z_]+$/.test(name) && (name.length !== 4 || FOUR_LETTER_SCRIPTS.has(name));
  if (isCategory || isScript) {
    try {
      const set = new RegExp(isCategory ? `^\\p{${name}}` : `^\\p{Script=${name}}`, 'u');
      return (c) => set.test(String.fromCodePoint(c));
    } catch {
      // Falls through: the name means nothing.
    }
  }
  throw new PatternError(
    `\\p{${name}} names no set of characters`,
    'write a category like \\p{Lu} or a script like \\p{Greek}',
  );
}

/** Reads the character of an escape like `\n`, `\x41` or `\.` behind its backslash. */
export function parseCharacterEscape(reader: PatternReader): number {
  const letter = reader.next();
  if (letter === '') throw new PatternError('it ends with a backslash');
  const control = CONTROLS[letter];
  if (control !== undefined) return control;
  if (letter === 'x') return parseHex(reader);
  if (/[0-7]/.test(letter)) {
    if (letter !== '0' && !/[0-7]/.test(reader.peek())) {
      throw new PatternError(`it refers back to group ${letter}`, 'RE2 has no backreferences');
    }
    let digits = letter;
    while (digits.length < 3 && /[0-7]/.test(reader.peek())) digits += reader.next();
    return Number.parseInt(digits, 8);
  }
  // Punctuation stands for itself; letters are reserved.
  if (letter <= '\u{7f}' && !/[0-9A-Za-z]/.test(letter)) return letter.codePointAt(0)!;
  const hint = letter === 'u' ? 'write \\x{…} with the code point' : letter === 'Z' ? 'write \\z' : undefined;
  throw new PatternError(`there is no escape \\${letter}`, hint);
}

function parseHex(reader: PatternReader): number {
  const braced = reader.take('{');
  let digits = '';
  const most = braced ? Infinity : 2;
  while (digits.length < most && /^[0-9A-Fa-f]$/.test(reader.peek())) digits += reader.next();
  const value = Number.parseInt(digits, 16);
  const complete = braced ? digits !== '' && reader.take('}') : digits.length === 2;
  if (!complete || value > 0x10_ffff)
    throw new PatternError('\\x is not followed by a code point', 'write \\x41 or \\x{1F600}');
  return value;
}
