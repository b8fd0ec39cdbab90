import { readInteger } from '../json/exact-integer.ts';
import {
  type PathStep,
  compareStep,
  constantStep,
  existsStep,
  fieldStep,
  recursiveStep,
  sliceStep,
  unionStep,
  wildcardStep,
} from './json-path.ts';

const word = /[\p{L}\p{Nd}_]/u;
/** The characters that may follow a name. */
const terminator = /[ \t\r\n.,[\]$@{}]/;
const slicePattern = /^(-?\d*)(:-?\d*)?(:-?\d*)?$/;
const comparisonPattern = /^([^!<>=]+)([!<>=]+)(.+?)$/s;

/**
 * Parses a kubectl JSON path, such as `.status.conditions[?(@.type=="Ready")].status`.
 *
 * @throws {SyntaxError}
 */
export function parseJsonPath(text: string): PathStep[] {
  return new PathParser(text).parse();
}

class PathParser {
  readonly #text: string;
  readonly #steps: PathStep[] = [];
  #position = 0;

  constructor(text: string) {
    this.#text = text;
  }

  parse(): PathStep[] {
    while (this.#position < this.#text.length) this.#step();
    return this.#steps;
  }

  #step(): void {
    const rest = this.#text.slice(this.#position);
    const character = rest.charAt(0);
    if (rest.startsWith('[?(')) this.#filter();
    else if (rest.startsWith('..')) this.#recursive();
    else if (' @$'.includes(character)) this.#position += 1;
    else if (character === '[') this.#brackets();
    else if (character === '"' || character === "'") this.#steps.push(constantStep(this.#quoted(character)));
    else if (character === '.') {
      this.#position += 1;
      this.#field();
    } else if (/[-+\d]/.test(character)) this.#number(rest);
    else if (word.test(character)) this.#identifier();
    else throw new SyntaxError(`unexpected ${JSON.stringify(character)} in a path`);
  }

  #recursive(): void {
    if (this.#steps.at(-1) === recursiveStep) throw new SyntaxError('invalid multiple recursive descent');
    this.#position += 2;
    this.#steps.push(recursiveStep);
    if (word.test(this.#text.charAt(this.#position))) this.#field();
  }

  #field(): void {
    const name = this.#name();
    this.#steps.push(name === '*' ? wildcardStep : fieldStep(name.replaceAll('\\', '')));
  }

  #name(): string {
    const start = this.#position;
    while (this.#position < this.#text.length && !terminator.test(this.#text.charAt(this.#position))) {
      this.#position += this.#text.charAt(this.#position) === '\\' ? 2 : 1;
    }
    return this.#text.slice(start, this.#position);
  }

  #number(rest: string): void {
    const [text = ''] = /^[-+]?[\d.]*/.exec(rest) ?? [];
    const value = readInteger(text) ?? Number(text);
    if (text === '' || Number.isNaN(value)) throw new SyntaxError(`cannot parse number ${text}`);
    this.#position += text.length;
    this.#steps.push(constantStep(value));
  }

  /** An identifier is a boolean; any other has a meaning only in templates, and is empty in a column. */
  #identifier(): void {
    const name = this.#name();
    this.#steps.push(name === 'true' || name === 'false' ? constantStep(name === 'true') : () => undefined);
  }

  #quoted(quote: string): string {
    for (let end = this.#position + 1; end < this.#text.length; end += 1) {
      if (this.#text.charAt(end) === '\\') end += 1;
      else if (this.#text.charAt(end) === quote) {
        const inner = this.#text.slice(this.#position + 1, end);
        this.#position = end + 1;
        return inner.replaceAll(/\\(.)/g, '$1');
      }
    }
    throw new SyntaxError('unterminated quoted string');
  }

  #brackets(): void {
    const end = this.#text.indexOf(']', this.#position);
    if (end === -1) throw new SyntaxError('unterminated array');
    const inner = this.#text.slice(this.#position + 1, end);
    this.#position = end + 1;
    const parts = inner.split(',');
    if (parts.length > 1) this.#steps.push(unionStep(parts.map((part) => parseJsonPath(`[${part.trim()}]`))));
    else this.#steps.push(...parseSubscript(inner));
  }

  #filter(): void {
    const start = this.#position + 3;
    let end = start;
    let quote = '';
    for (; end < this.#text.length; end += 1) {
      const character = this.#text.charAt(end);
      if (character === '\\') end += 1;
      else if (quote !== '') quote = character === quote ? '' : quote;
      else if (character === '"' || character === "'") quote = character;
      else if (character === ')') break;
    }
    if (this.#text.charAt(end + 1) !== ']') throw new SyntaxError('unterminated filter');
    this.#position = end + 2;
    this.#steps.push(parseFilter(this.#text.slice(start, end)));
  }
}

function parseFilter(text: string): PathStep {
  const [, left, operator = '', right = ''] = comparisonPattern.exec(text) ?? [];
  if (left === undefined) return existsStep(parseJsonPath(text));
  return compareStep(parseJsonPath(left), operator, parseJsonPath(right));
}

function parseSubscript(text: string): PathStep[] {
  const [, key] = /^'([^']*)'$/.exec(text) ?? [];
  if (key !== undefined) return parseJsonPath(`.${key}`);
  const match = slicePattern.exec(text === '*' ? ':' : text);
  if (!match) throw new SyntaxError(`invalid array index ${text}`);
  const [, first = '', second, third] = match;
  const start = toNumber(first);
  const isEndDerived = second === undefined;
  const end = isEndDerived ? (start ?? 0) + 1 : toNumber(second.slice(1));
  return [sliceStep({ start, end, isEndDerived, step: toNumber(third?.slice(1) ?? '') })];
}

function toNumber(text: string): number | undefined {
  if (text === '') return undefined;
  const value = Number(text);
  if (Number.isNaN(value)) throw new SyntaxError(`array index ${text} is not a number`);
  return value;
}
