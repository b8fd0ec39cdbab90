import { parseClass } from './parse-class.ts';
import { parseCharacterEscape, parseSetEscape } from './parse-escape.ts';
import { PatternError } from './pattern-error.ts';
import type { CharacterTest, PatternNode } from './pattern-node.ts';
import { PatternReader } from './pattern-reader.ts';

/** The limit of Go's regexp package for a count, and for the product of nested counts. */
const MAX_REPEAT = 1000;
const MAX_DEPTH = 200;

/** A leading zero makes it no count for Go. */
const COUNT = /^(?:0|[1-9]\d*)$/;

const REPETITIONS: ReadonlyMap<string, readonly [min: number, max: number]> = new Map([
  ['*', [0, Infinity]],
  ['+', [1, Infinity]],
  ['?', [0, 1]],
]);

interface Flags {
  /** `i`: letters match in both cases. */
  readonly fold: boolean;
  /** `m`: `^` and `$` match at lines. */
  readonly lines: boolean;
  /** `s`: a dot matches a line feed. */
  readonly dotAll: boolean;
  /** `U`: repetitions are lazy, and those with a `?` are not. */
  readonly ungreedy: boolean;
}

/**
 * Reads a regular expression in RE2's syntax as Go's regexp package has it, which is what the API server matches patterns with.
 * @throws PatternError when Go would refuse it
 */
export function parsePattern(pattern: string): PatternNode {
  const parser = new PatternParser(pattern);
  return parser.parse();
}

class PatternParser {
  readonly #reader: PatternReader;
  readonly #names = new Set<string>();
  #flags: Flags = { fold: false, lines: false, dotAll: false, ungreedy: false };
  #depth = 0;

  constructor(pattern: string) {
    this.#reader = new PatternReader(pattern);
  }

  parse(): PatternNode {
    const node = this.#choice();
    if (!this.#reader.done) throw new PatternError('a ) has no (');
    return node;
  }

  #choice(): PatternNode {
    if (++this.#depth > MAX_DEPTH) throw new PatternError('it nests too deeply');
    const parts = [this.#sequence()];
    while (this.#reader.take('|')) parts.push(this.#sequence());
    this.#depth--;
    return parts.length === 1 ? parts[0]! : { op: 'choice', parts };
  }

  #sequence(): PatternNode {
    const parts: PatternNode[] = [];
    let repeated = false;
    while (!this.#reader.done && this.#reader.peek() !== '|' && this.#reader.peek() !== ')') {
      const count = this.#repetition();
      if (!count) {
        const part = this.#atom();
        if (part) parts.push(part);
        repeated = false;
        continue;
      }
      const part = parts.pop();
      if (!part)
        throw new PatternError(
          'there is nothing to repeat',
          'write \\ before the character that is meant itself',
        );
      if (repeated)
        throw new PatternError(
          'a repetition is repeated',
          'RE2 has no possessive repetitions; use (?:…) to repeat twice',
        );
      repeated = true;
      parts.push({ op: 'repeat', part, ...count });
      checkRepeat(parts.at(-1)!, MAX_REPEAT);
    }
    return parts.length === 1 ? parts[0]! : { op: 'sequence', parts };
  }

  /** `*`, `+`, `?`, `{n}`, `{n,}` or `{n,m}`, each lazy with a `?`. */
  #repetition(): { min: number; max: number; lazy: boolean } | undefined {
    const reader = this.#reader;
    const simple = REPETITIONS.get(reader.peek());
    let [min, max] = simple ?? [0, 0];
    if (simple) {
      reader.next();
    } else {
      const counts = this.#counts();
      if (!counts) return undefined;
      [min, max] = counts;
      if (min > MAX_REPEAT || (max !== Infinity && max > MAX_REPEAT))
        throw new PatternError(`a repetition is more than ${MAX_REPEAT} times`);
      if (min > max) throw new PatternError(`{${min},${max}} runs backwards`);
    }
    return { min, max, lazy: reader.take('?') !== this.#flags.ungreedy };
  }

  /** A brace that does not hold counts stands for itself. */
  #counts(): [number, number] | undefined {
    const reader = this.#reader;
    const from = reader.at;
    if (reader.take('{')) {
      const min = reader.takeWhile(/[0-9]/);
      const comma = reader.take(',');
      const max = comma ? reader.takeWhile(/[0-9]/) : min;
      if (reader.take('}') && COUNT.test(min) && (max === '' || COUNT.test(max))) {
        return [Number(min), max === '' ? Infinity : Number(max)];
      }
    }
    reader.at = from;
    return undefined;
  }

  #atom(): PatternNode | undefined {
    const reader = this.#reader;
    const character = reader.next();
    switch (character) {
      case '(':
        return this.#group();
      case '[':
        return this.#character(parseClass(reader));
      case '.':
        return this.#character(this.#flags.dotAll ? () => true : (c) => c !== 10);
      case '^':
        return { op: 'assertion', at: this.#flags.lines ? 'line-start' : 'text-start' };
      case '$':
        return { op: 'assertion', at: this.#flags.lines ? 'line-end' : 'text-end' };
      case '\\':
        return this.#escape();
      default:
        return this.#literal(character.codePointAt(0)!);
    }
  }

  #escape(): PatternNode {
    const reader = this.#reader;
    if (reader.take('A')) return { op: 'assertion', at: 'text-start' };
    if (reader.take('z')) return { op: 'assertion', at: 'text-end' };
    if (reader.take('b')) return { op: 'assertion', at: 'word-boundary' };
    if (reader.take('B')) return { op: 'assertion', at: 'no-word-boundary' };
    if (reader.take('Q')) return this.#quoted();
    const set = parseSetEscape(reader);
    return set ? this.#character(set) : this.#literal(parseCharacterEscape(reader));
  }

  /** `\Q…\E`; a repetition behind it applies to its last character. */
  #quoted(): PatternNode {
    const parts: PatternNode[] = [];
    while (!this.#reader.done && !this.#reader.take('\\E'))
      parts.push(this.#literal(this.#reader.next().codePointAt(0)!));
    const counted = parts.length > 0 ? this.#repetition() : undefined;
    if (counted) parts.push({ op: 'repeat', part: parts.pop()!, ...counted });
    return { op: 'sequence', parts };
  }

  #group(): PatternNode | undefined {
    const reader = this.#reader;
    const outer = this.#flags;
    if (reader.take('?')) {
      if (reader.take('P<') || (reader.peek() === '<' && !/[=!]/.test(reader.peek(1)) && reader.take('<')))
        this.#name();
      else if (!this.#groupFlags()) return undefined;
    }
    const node = this.#choice();
    if (!reader.take(')')) throw new PatternError('a ( is not closed');
    this.#flags = outer;
    return node;
  }

  #name(): void {
    const name = this.#reader.takeWhile(/\w/);
    if (name === '' || !this.#reader.take('>')) throw new PatternError('the name of a group is not valid');
    if (this.#names.has(name)) throw new PatternError(`two groups are called ${name}`);
    this.#names.add(name);
  }

  /**
   * Reads `i`, `m-s:` and the like behind `(?`.
   * @returns whether a group follows; otherwise the flags apply to the rest of the enclosing one
   */
  #groupFlags(): boolean {
    const reader = this.#reader;
    const text = reader.takeWhile(/[imsU-]/);
    if (
      !/^(?:[imsU]*|[imsU]*-[imsU]+)$/.test(text) ||
      !/^[:)]$/.test(reader.peek()) ||
      (text === '' && reader.peek() === ')')
    ) {
      throw new PatternError(
        `(?${text}${reader.peek()} is not part of RE2`,
        'RE2 has no lookahead or lookbehind: split the rule, or check it in a webhook',
      );
    }
    const [on = '', off = ''] = text.split('-');
    const flag = (letter: string, current: boolean) =>
      (current || on.includes(letter)) && !off.includes(letter);
    const { fold, lines, dotAll, ungreedy } = this.#flags;
    this.#flags = {
      fold: flag('i', fold),
      lines: flag('m', lines),
      dotAll: flag('s', dotAll),
      ungreedy: flag('U', ungreedy),
    };
    return reader.next() === ':';
  }

  #literal(codePoint: number): PatternNode {
    return this.#character((c) => c === codePoint);
  }

  #character(test: CharacterTest): PatternNode {
    if (!this.#flags.fold) return { op: 'character', test };
    return { op: 'character', test: (c) => test(c) || caseVariants(c).some(test) };
  }
}

function caseVariants(codePoint: number): number[] {
  const character = String.fromCodePoint(codePoint);
  return [character.toLowerCase(), character.toUpperCase()].map((variant) => variant.codePointAt(0)!);
}

/** Counts that multiply to more than the limit are refused, as `(a{100}){100}`. */
function checkRepeat(node: PatternNode, limit: number): void {
  let rest = limit;
  if (node.op === 'repeat') {
    const count = node.max === Infinity ? node.min : node.max;
    if (count > rest) throw new PatternError(`nested repetitions are more than ${MAX_REPEAT} times`);
    if (count > 0) rest = Math.trunc(rest / count);
    checkRepeat(node.part, rest);
  } else if (node.op === 'sequence' || node.op === 'choice') {
    for (const part of node.parts) checkRepeat(part, rest);
  }
}
