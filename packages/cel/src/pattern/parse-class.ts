import { type CharacterSet, characterRange, characterTest } from './character-set.ts';
import { parseCharacterEscape, parseSetEscape } from './parse-escape.ts';
import { PatternError } from './pattern-error.ts';
import type { CharacterTest } from './pattern-node.ts';
import type { PatternReader } from './pattern-reader.ts';

const posixClasses: ReadonlyMap<string, string> = new Map([
  ['alnum', '0-9A-Za-z'],
  ['alpha', 'A-Za-z'],
  ['ascii', '\\0-\\x7f'],
  ['blank', '\\t '],
  ['cntrl', '\\0-\\x1f\\x7f'],
  ['digit', '0-9'],
  ['graph', '!-~'],
  ['lower', 'a-z'],
  ['print', ' -~'],
  ['punct', '!-\\/:-@\\[-`\\{-~'],
  ['space', '\\t\\n\\v\\f\\r '],
  ['upper', 'A-Z'],
  ['word', '0-9A-Za-z_'],
  ['xdigit', '0-9A-Fa-f'],
]);

/** Parses a class like `[a-z\d]` after its opening bracket. */
export function parseClass(reader: PatternReader, fold: boolean): CharacterTest {
  const from = reader.at - 1;
  const negated = reader.take('^');
  const ranges: string[] = [];
  const tests: CharacterTest[] = [];
  for (let first = true; first || reader.peek() !== ']'; first = false) {
    if (reader.done) throw notClosed(reader, from);
    const set = parsePosix(reader) ?? parseSet(reader) ?? parseRange(reader, from);
    if (set.negated) tests.push(characterTest(set, fold));
    else ranges.push(set.source);
  }
  reader.next();
  if (ranges.length > 0) tests.push(characterTest({ source: ranges.join(''), negated: false }, fold));
  return (c) => tests.some((test) => test(c)) !== negated;
}

function parsePosix(reader: PatternReader): CharacterSet | undefined {
  if (reader.peek() !== '[' || reader.peek(1) !== ':') return undefined;
  const from = reader.at;
  reader.at += 2;
  const end = reader.find(':]');
  if (end < 0) {
    reader.at = from;
    return undefined;
  }
  const negated = reader.take('^');
  const name = reader.slice(reader.at, end);
  reader.at = end + 2;
  const source = posixClasses.get(name);
  if (source !== undefined) return { source, negated };
  throw new PatternError(
    `[:${name}:] is not a character class`,
    'invalid character class range',
    reader.slice(from),
    `write one of ${[...posixClasses.keys()].join(', ')}`,
  );
}

function parseSet(reader: PatternReader): CharacterSet | undefined {
  if (reader.peek() !== '\\') return undefined;
  reader.next();
  const set = parseSetEscape(reader);
  if (!set) reader.at--;
  return set;
}

function parseRange(reader: PatternReader, classStart: number): CharacterSet {
  const from = reader.at;
  const low = parseCharacter(reader, classStart);
  let high = low;
  if (reader.peek() === '-' && reader.peek(1) !== ']' && reader.peek(1) !== '') {
    reader.next();
    high = parseCharacter(reader, classStart);
    if (high < low) {
      const fragment = reader.slice(from);
      throw new PatternError('a range in [ ] runs backwards', 'invalid character class range', fragment);
    }
  }
  return characterRange(low, high);
}

function parseCharacter(reader: PatternReader, classStart: number): number {
  const character = reader.next();
  if (character === '') throw notClosed(reader, classStart);
  return character === '\\' ? parseCharacterEscape(reader) : character.codePointAt(0)!;
}

function notClosed(reader: PatternReader, from: number): PatternError {
  return new PatternError('a [ is not closed', 'missing closing ]', reader.slice(from));
}
