import { characterRange, characterTest } from './character-set.ts';
import { parseClass } from './parse-class.ts';
import { parseCharacterEscape, parseSetEscape } from './parse-escape.ts';
import { PatternError, type PatternFault } from './pattern-error.ts';
import type { Assertion, PatternNode } from './pattern-node.ts';
import { PatternReader } from './pattern-reader.ts';

/** The limit of Go's regexp package for a count, and for the product of nested counts. */
const maxRepeat = 1000;
/** The limit of Go's regexp package for {@link sizeOf}. */
const maxSize = 3_355_443;
const maxDepth = 1000;
/** Far below Go's limit, and far above what authors write. */
const maxLength = 50_000;

/** Go does not accept a count with a leading zero. */
const countPattern = /^(?:0|[1-9]\d*)$/;

const repetitions: ReadonlyMap<string, readonly [min: number, max: number]> = new Map([
  ['*', [0, Infinity]],
  ['+', [1, Infinity]],
  ['?', [0, 1]],
]);

const assertions: ReadonlyMap<string, Assertion> = new Map([
  ['A', 'text-start'],
  ['z', 'text-end'],
  ['b', 'word-boundary'],
  ['B', 'no-word-boundary'],
]);

const noLookaroundHint = 'RE2 has no lookahead or lookbehind: split the rule, or check it in a webhook';

interface Counts {
  readonly min: number;
  readonly max: number;
  readonly lazy: boolean;
}

interface Flags {
  /** `i`: letters match in both cases. */
  readonly fold: boolean;
  /** `m`: `^` and `$` match at lines. */
  readonly lines: boolean;
  /** `s`: a dot matches a line feed. */
  readonly dotAll: boolean;
  /** `U`: repetitions are lazy, and those with a `?` are greedy. */
  readonly ungreedy: boolean;
}

/**
 * Parses a regular expression in RE2's syntax as Go's regexp package does, which the API server uses.
 *
 * @throws PatternError when Go would refuse it
 */
export function parsePattern(pattern: string): PatternNode {
  const parser = new PatternParser(pattern);
  return parser.parse();
}

class PatternParser {
  readonly #reader: PatternReader;
  #flags: Flags = { fold: false, lines: false, dotAll: false, ungreedy: false };
  #depth = 0;

  constructor(pattern: string) {
    this.#reader = new PatternReader(pattern);
  }

  parse(): PatternNode {
    const reader = this.#reader;
    if (reader.length > maxLength) throw this.#error('it is too large', 'expression too large');
    const node = this.#choice();
    if (!reader.done) throw this.#error('a ) without a (', 'unexpected )');
    return node;
  }

  #choice(): PatternNode {
    if (++this.#depth > maxDepth) throw this.#error('it is nested too deeply', 'expression nests too deeply');
    const parts = [this.#sequence()];
    while (this.#reader.take('|')) parts.push(this.#sequence());
    this.#depth--;
    return parts.length === 1 ? parts[0]! : { op: 'choice', parts };
  }

  #sequence(): PatternNode {
    const reader = this.#reader;
    const parts: PatternNode[] = [];
    /** Where the directly preceding repetition starts. */
    let repeatedAt: number | undefined;
    while (!reader.done && reader.peek() !== '|' && reader.peek() !== ')') {
      const at = reader.at;
      const count = this.#repetition();
      if (count) this.#repeat(parts, count, at, repeatedAt);
      else this.#atom(parts);
      repeatedAt = count && at;
    }
    return parts.length === 1 ? parts[0]! : { op: 'sequence', parts };
  }

  /** Repeats the last part. */
  #repeat(parts: PatternNode[], count: Counts, at: number, repeatedAt: number | undefined): void {
    const reader = this.#reader;
    if (repeatedAt !== undefined) {
      throw new PatternError(
        'a repetition is repeated',
        'invalid nested repetition operator',
        reader.slice(repeatedAt),
        'RE2 has no possessive repetitions; use (?:…) to repeat twice',
      );
    }
    const part = parts.pop();
    if (!part) {
      throw new PatternError(
        'there is nothing to repeat',
        'missing argument to repetition operator',
        reader.slice(at),
        'to match the character itself, write \\ before it',
      );
    }
    const repeat = { op: 'repeat' as const, part, ...count };
    // Only a count of two or more can contribute to a product: Go stops there too, which keeps this linear.
    const isCounted = count.min > 1 || (count.max !== Infinity && count.max > 1);
    if (isCounted && sizeOf(repeat) > maxSize) throw this.#error('it is too large', 'expression too large');
    if (isCounted && !isWithin(repeat, maxRepeat)) {
      const message = `nested repetitions exceed ${maxRepeat} times`;
      throw new PatternError(message, 'invalid repeat count', reader.slice(at));
    }
    parts.push(repeat);
  }

  /** `*`, `+`, `?`, `{n}`, `{n,}` or `{n,m}`, each lazy with a `?`. */
  #repetition(): Counts | undefined {
    const reader = this.#reader;
    const from = reader.at;
    const simple = repetitions.get(reader.peek());
    if (simple) reader.next();
    const counts = simple ?? this.#counts();
    if (!counts) return undefined;
    const [min, max] = counts;
    const isTooMuch = min > maxRepeat || (max !== Infinity && max > maxRepeat);
    if (isTooMuch || min > max) {
      const message = isTooMuch
        ? `a repetition exceeds ${maxRepeat} times`
        : `{${min},${max}} runs backwards`;
      throw new PatternError(message, 'invalid repeat count', reader.slice(from));
    }
    return { min, max, lazy: reader.take('?') !== this.#flags.ungreedy };
  }

  /** A brace that does not contain counts stands for itself. */
  #counts(): readonly [min: number, max: number] | undefined {
    const reader = this.#reader;
    const from = reader.at;
    if (reader.take('{')) {
      const min = reader.takeWhile(/[0-9]/);
      const comma = reader.take(',');
      const max = comma ? reader.takeWhile(/[0-9]/) : min;
      if (reader.take('}') && countPattern.test(min) && (max === '' || countPattern.test(max))) {
        return [Number(min), max === '' ? Infinity : Number(max)];
      }
    }
    reader.at = from;
    return undefined;
  }

  #atom(parts: PatternNode[]): void {
    const reader = this.#reader;
    const from = reader.at;
    const character = reader.next();
    switch (character) {
      case '(':
        this.#group(parts, from);
        break;
      case '[':
        parts.push({ op: 'character', test: parseClass(reader, this.#flags.fold) });
        break;
      case '.':
        parts.push({ op: 'character', test: this.#flags.dotAll ? () => true : (c) => c !== 10 });
        break;
      case '^':
        parts.push({ op: 'assertion', at: this.#flags.lines ? 'line-start' : 'text-start' });
        break;
      case '$':
        parts.push({ op: 'assertion', at: this.#flags.lines ? 'line-end' : 'text-end' });
        break;
      case '\\':
        this.#escape(parts);
        break;
      default:
        parts.push(this.#literal(character.codePointAt(0)!));
    }
  }

  #escape(parts: PatternNode[]): void {
    const reader = this.#reader;
    if (reader.take('Q')) {
      while (!reader.done && !reader.take('\\E')) parts.push(this.#literal(reader.next().codePointAt(0)!));
      return;
    }
    const assertion = assertions.get(reader.peek());
    if (assertion) {
      reader.next();
      parts.push({ op: 'assertion', at: assertion });
      return;
    }
    const set = parseSetEscape(reader);
    parts.push(
      set
        ? { op: 'character', test: characterTest(set, this.#flags.fold) }
        : this.#literal(parseCharacterEscape(reader)),
    );
  }

  #group(parts: PatternNode[], from: number): void {
    const reader = this.#reader;
    const outer = this.#flags;
    if (reader.take('?')) {
      const isNamed = reader.take('P<') || reader.take('<');
      if (isNamed) this.#name(from);
      else if (!this.#groupFlags(from)) return;
    }
    parts.push(this.#choice());
    if (!reader.take(')')) throw this.#error('a ( is not closed', 'missing closing )');
    this.#flags = outer;
  }

  #name(from: number): void {
    const reader = this.#reader;
    const name = reader.takeWhile(/[^>]/);
    const isClosed = reader.take('>');
    if (isClosed && /^\w+$/.test(name)) return;
    const hint = /^[=!]/.test(name) ? noLookaroundHint : undefined;
    const message = 'a group has an invalid name';
    throw new PatternError(message, 'invalid named capture', reader.slice(from), hint);
  }

  /**
   * Parses `i`, `m-s:` and the like after `(?`.
   *
   * @returns whether a group follows; otherwise the flags apply to the rest of the enclosing one
   */
  #groupFlags(from: number): boolean {
    const reader = this.#reader;
    const on = reader.takeWhile(/[imsU]/);
    const negates = reader.take('-');
    const off = negates ? reader.takeWhile(/[imsU]/) : '';
    const end = reader.next();
    if ((end !== ':' && end !== ')') || (negates && off === '')) {
      const read = reader.slice(from);
      throw new PatternError(
        `${read} is not part of RE2`,
        'invalid or unsupported Perl syntax',
        read,
        noLookaroundHint,
      );
    }
    const flag = (letter: string, current: boolean) =>
      (current || on.includes(letter)) && !off.includes(letter);
    const { fold, lines, dotAll, ungreedy } = this.#flags;
    this.#flags = {
      fold: flag('i', fold),
      lines: flag('m', lines),
      dotAll: flag('s', dotAll),
      ungreedy: flag('U', ungreedy),
    };
    return end === ':';
  }

  #literal(codePoint: number): PatternNode {
    const character = String.fromCodePoint(codePoint);
    const hasCases = character.toLowerCase() !== character.toUpperCase();
    const test =
      this.#flags.fold && hasCases
        ? characterTest(characterRange(codePoint, codePoint), true)
        : (c: number) => c === codePoint;
    return { op: 'character', test };
  }

  /** An error about the whole pattern. */
  #error(message: string, fault: PatternFault): PatternError {
    return new PatternError(message, fault, this.#reader.slice(0, this.#reader.length));
  }
}

/** Refuses counts whose product exceeds the limit, such as `(a{100}){100}`. */
function isWithin(node: PatternNode, limit: number): boolean {
  if (node.op === 'sequence' || node.op === 'choice')
    return node.parts.every((part) => isWithin(part, limit));
  if (node.op !== 'repeat' || node.max === 0) return true;
  const count = node.max === Infinity ? node.min : node.max;
  return count <= limit && isWithin(node.part, count > 0 ? Math.trunc(limit / count) : limit);
}

/** The number of instructions that Go compiles a pattern to. */
function sizeOf(node: PatternNode): number {
  switch (node.op) {
    case 'character':
    case 'assertion':
      return 1;
    case 'repeat': {
      const size = sizeOf(node.part);
      if (node.max === Infinity) return node.min === 0 ? 2 + size : 1 + node.min * size;
      return Math.max(1, node.max * size + node.max - node.min);
    }
    default: {
      const size = node.parts.reduce((sum, part) => sum + sizeOf(part), 0);
      return Math.max(1, node.op === 'choice' ? size + node.parts.length - 1 : size);
    }
  }
}
