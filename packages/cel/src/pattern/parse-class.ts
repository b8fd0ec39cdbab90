import type { CharacterTest } from './pattern-node.ts';
import { parseCharacterEscape, parseSetEscape } from './parse-escape.ts';
import { PatternError } from './pattern-error.ts';
import type { PatternReader } from './pattern-reader.ts';

const POSIX: ReadonlyMap<string, RegExp> = new Map([
  ['alnum', /^[0-9A-Za-z]/],
  ['alpha', /^[A-Za-z]/],
  ['ascii', /^[^\u{80}-\u{10ffff}]/u],
  ['blank', /^[\t ]/],
  ['cntrl', /^\p{Cc}/u],
  ['digit', /^[0-9]/],
  ['graph', /^[!-~]/],
  ['lower', /^[a-z]/],
  ['print', /^[ -~]/],
  ['punct', /^[!-/:-@[-`{-~]/],
  ['space', /^[\t\n\v\f\r ]/],
  ['upper', /^[A-Z]/],
  ['word', /^\w/],
  ['xdigit', /^[0-9A-Fa-f]/],
]);

/** Reads a class like `[a-z\d]` behind its opening bracket. */
export function parseClass(reader: PatternReader): CharacterTest {
  const negated = reader.take('^');
  const tests: CharacterTest[] = [];
  for (let first = true; first || reader.peek() !== ']'; first = false) {
    if (reader.done) throw new PatternError('a [ is not closed');
    tests.push(parsePosix(reader) ?? parseSet(reader) ?? parseRange(reader));
  }
  reader.next();
  return (c) => tests.some((test) => test(c)) !== negated;
}

function parsePosix(reader: PatternReader): CharacterTest | undefined {
  if (reader.peek() !== '[' || reader.peek(1) !== ':') return undefined;
  const from = reader.at;
  reader.at += 2;
  const negated = reader.take('^');
  const name = reader.takeWhile(/[^:\]]/);
  if (!reader.take(':]')) {
    reader.at = from;
    return undefined;
  }
  const set = POSIX.get(name);
  if (!set)
    throw new PatternError(
      `[:${name}:] names no set of characters`,
      `it is one of ${[...POSIX.keys()].join(', ')}`,
    );
  return (c) => set.test(String.fromCodePoint(c)) !== negated;
}

function parseSet(reader: PatternReader): CharacterTest | undefined {
  if (reader.peek() !== '\\') return undefined;
  reader.next();
  const set = parseSetEscape(reader);
  if (!set) reader.at--;
  return set;
}

function parseRange(reader: PatternReader): CharacterTest {
  const low = parseCharacter(reader);
  let high = low;
  if (reader.peek() === '-' && reader.peek(1) !== ']' && reader.peek(1) !== '') {
    reader.next();
    high = parseCharacter(reader);
    if (high < low) throw new PatternError('a range in [ ] runs backwards');
  }
  return (c) => c >= low && c <= high;
}

function parseCharacter(reader: PatternReader): number {
  const character = reader.next();
  if (character === '') throw new PatternError('a [ is not closed');
  return character === '\\' ? parseCharacterEscape(reader) : character.codePointAt(0)!;
}
