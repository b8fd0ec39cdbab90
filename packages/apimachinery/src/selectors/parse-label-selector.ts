import { goQuote } from '../go/go-quote.ts';
import { labelValue, qualifiedName } from '../names.ts';
import { type LabelRequirement, wholeNumber } from './label-matcher.ts';

type Token = { kind: 'word' | 'operator' | 'end'; text: string };

const operators = ['==', '!=', '=', '!', '(', ')', ',', '>', '<'];

/**
 * Parses a label selector such as `a=b,c!=d,e in (f,g),!h`. The empty text has no requirements and selects everything.
 *
 * @throws {SyntaxError} in the words of kube-apiserver
 */
export function parseLabelSelector(text: string): LabelRequirement[] {
  const tokens = new Tokens(text);
  const requirements: LabelRequirement[] = [];
  if (tokens.peek().kind === 'end') return requirements;
  expectRequirement(tokens, "!, identifier, or 'end of string'");
  for (;;) {
    requirements.push(parseRequirement(tokens));
    const { kind, text: found } = tokens.next();
    if (kind === 'end') return requirements;
    if (found !== ',') throw new SyntaxError(`found '${found}', expected: ',' or 'end of string'`);
    expectRequirement(tokens, "identifier after ','");
  }
}

function expectRequirement(tokens: Tokens, expected: string): void {
  const { kind, text } = tokens.peek();
  if (kind !== 'word' && text !== '!') throw new SyntaxError(`found '${text}', expected: ${expected}`);
}

function parseRequirement(tokens: Tokens): LabelRequirement {
  if (tokens.peek().text === '!') {
    tokens.next();
    return { key: parseKey(tokens), operator: 'DoesNotExist', values: [] };
  }
  const key = parseKey(tokens);
  const { text: after } = tokens.peek();
  if (after === ',' || tokens.peek().kind === 'end') return { key, operator: 'Exists', values: [] };
  const operator = tokens.next().text;
  switch (operator) {
    case '=':
    case '==':
      return { key, operator: 'In', values: check(key, [parseValue(tokens)]) };
    case 'in':
      return { key, operator: 'In', values: check(key, parseValues(tokens)) };
    case '!=':
      return { key, operator: 'NotIn', values: check(key, [parseValue(tokens)]) };
    case 'notin':
      return { key, operator: 'NotIn', values: check(key, parseValues(tokens)) };
    case '>':
      return { key, operator: 'Gt', values: checkNumber(key, parseValue(tokens)) };
    case '<':
      return { key, operator: 'Lt', values: checkNumber(key, parseValue(tokens)) };
    default:
      throw new SyntaxError(
        `unable to parse requirement: found '${operator}', expected: in, notin, =, ==, !=, gt, lt`,
      );
  }
}

function checkNumber(key: string, value: string): string[] {
  const problem = "for 'Gt', 'Lt' operators, the value must be an integer";
  const isNumber = wholeNumber(value) !== undefined;
  return check(key, [value], isNumber ? [] : [`values[0]: Invalid value: ${goQuote(value)}: ${problem}`]);
}

/** The values of a requirement, sorted and distinct, if all of them can be values of labels. */
function check(key: string, texts: Iterable<string>, errors: string[] = []): string[] {
  const values = [...new Set(texts)].toSorted();
  for (const [index, value] of values.entries()) {
    const problems = labelValue(value);
    if (problems.length > 0) {
      errors.push(`values[${index}][${key}]: Invalid value: ${goQuote(value)}: ${problems.join('; ')}`);
    }
  }
  if (errors.length === 0) return values;
  throw new SyntaxError(
    `unable to parse requirement: ${errors.length === 1 ? (errors[0] ?? '') : `[${errors.join(', ')}]`}`,
  );
}

function parseKey(tokens: Tokens): string {
  const { kind, text } = tokens.next();
  if (kind !== 'word')
    throw new SyntaxError(`unable to parse requirement: found '${text}', expected: identifier`);
  const errors = qualifiedName(text);
  if (errors.length > 0) {
    throw new SyntaxError(
      `unable to parse requirement: <nil>: Invalid value: ${goQuote(text)}: ${errors.join('; ')}`,
    );
  }
  return text;
}

/** A value may be omitted: `a=` asks for the empty one. */
function parseValue(tokens: Tokens): string {
  const { kind, text } = tokens.peek();
  if (kind === 'end' || text === ',') return '';
  if (kind !== 'word')
    throw new SyntaxError(`unable to parse requirement: found '${text}', expected: identifier`);
  return tokens.next().text;
}

function parseValues(tokens: Tokens): string[] {
  const open = tokens.next();
  if (open.text !== '(')
    throw new SyntaxError(`unable to parse requirement: found '${open.text}' expected: '('`);
  const values: string[] = [];
  for (let isFirst = true; ; isFirst = false) {
    const { kind, text } = tokens.next();
    if (kind === 'word') {
      values.push(text);
      const { text: after } = tokens.next();
      if (after === ')') return values;
      if (after !== ',')
        throw new SyntaxError(`unable to parse requirement: found '${after}', expected: ',' or ')'`);
    } else if (text === ',' || text === ')') {
      values.push('');
      if (text === ')') return values;
    } else {
      const expected = isFirst ? "',', ')' or identifier" : "',', or identifier";
      throw new SyntaxError(`unable to parse requirement: found '${text}', expected: ${expected}`);
    }
  }
}

class Tokens {
  readonly #text: string;
  #position = 0;
  #peeked: Token | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  peek(): Token {
    this.#peeked ??= this.#read();
    return this.#peeked;
  }

  next(): Token {
    const token = this.peek();
    this.#peeked = undefined;
    return token;
  }

  #read(): Token {
    const rest = this.#text.slice(this.#position);
    const text = rest.replace(/^[ \t\r\n]+/, '');
    // A NUL ends the text, but within a word it only ends the word.
    if (text === '' || text.startsWith('\0')) return { kind: 'end', text: '' };
    const operator = operators.find((candidate) => text.startsWith(candidate));
    const word = operator ?? /^[^ \t\r\n=!(),<>\0]+/.exec(text)?.[0] ?? text;
    const isCut = operator === undefined && text[word.length] === '\0';
    this.#position += rest.length - text.length + word.length + Number(isCut);
    return { kind: operator === undefined ? 'word' : 'operator', text: word };
  }
}
