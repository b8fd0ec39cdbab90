import { labelValue, qualifiedName } from 'ots-apimachinery/names';
import { goQuote } from 'ots-apimachinery/go/go-quote';

/** Whether labels match. */
export type LabelSelector = (labels: Record<string, string>) => boolean;

type Token = { kind: 'word' | 'operator' | 'end'; text: string };

const operators = ['==', '!=', '=', '!', '(', ')', ',', '>', '<'];

/**
 * Parses `a=b,c!=d,e in (f,g),!h`.
 *
 * @throws {SyntaxError} in the words of a kube-apiserver
 */
export function parseLabelSelector(text: string): LabelSelector {
  const tokens = new Tokens(text);
  const requirements: LabelSelector[] = [];
  if (tokens.peek().kind === 'end') return () => true;
  expectRequirement(tokens, "!, identifier, or 'end of string'");
  for (;;) {
    requirements.push(parseRequirement(tokens));
    const { kind, text: found } = tokens.next();
    if (kind === 'end') break;
    if (found !== ',') throw new SyntaxError(`found '${found}', expected: ',' or 'end of string'`);
    expectRequirement(tokens, "identifier after ','");
  }
  return (labels) => requirements.every((requirement) => requirement(labels));
}

function expectRequirement(tokens: Tokens, expected: string): void {
  const { kind, text } = tokens.peek();
  if (kind !== 'word' && text !== '!') throw new SyntaxError(`found '${text}', expected: ${expected}`);
}

function parseRequirement(tokens: Tokens): LabelSelector {
  if (tokens.peek().text === '!') {
    tokens.next();
    const absent = parseKey(tokens);
    return (labels) => !Object.hasOwn(labels, absent);
  }
  const key = parseKey(tokens);
  const { text: after } = tokens.peek();
  if (after === ',' || tokens.peek().kind === 'end') return (labels) => Object.hasOwn(labels, key);
  const operator = tokens.next().text;
  switch (operator) {
    case '=':
    case '==':
    case 'in': {
      const values = check(key, operator === 'in' ? parseValues(tokens) : [parseValue(tokens)]);
      return (labels) => Object.hasOwn(labels, key) && values.has(labels[key] ?? '');
    }
    case '!=':
    case 'notin': {
      const values = check(key, operator === 'notin' ? parseValues(tokens) : [parseValue(tokens)]);
      return (labels) => !Object.hasOwn(labels, key) || !values.has(labels[key] ?? '');
    }
    case '>':
    case '<':
      return parseComparison(key, operator, parseValue(tokens));
    default:
      throw new SyntaxError(
        `unable to parse requirement: found '${operator}', expected: in, notin, =, ==, !=, gt, lt`,
      );
  }
}

function parseComparison(key: string, operator: string, value: string): LabelSelector {
  const limit = asInteger(value);
  const problem = "for 'Gt', 'Lt' operators, the value must be an integer";
  check(key, [value], limit === undefined ? [`values[0]: Invalid value: ${goQuote(value)}: ${problem}`] : []);
  return (labels) => {
    const label = Object.hasOwn(labels, key) ? asInteger(labels[key] ?? '') : undefined;
    if (label === undefined || limit === undefined) return false;
    return operator === '>' ? label > limit : label < limit;
  };
}

/** Larger integers than 64 bits are invalid. */
function asInteger(text: string): bigint | undefined {
  const value = /^[-+]?\d+$/.test(text) ? BigInt(text.replace('+', '')) : undefined;
  return value !== undefined && BigInt.asIntN(64, value) === value ? value : undefined;
}

/** The values of a requirement, without duplicates, if all of them are valid label values. */
function check(key: string, values: Iterable<string>, errors: string[] = []): Set<string> {
  for (const [index, value] of [...new Set(values)].toSorted().entries()) {
    const problems = labelValue(value);
    if (problems.length > 0) {
      errors.push(`values[${index}][${key}]: Invalid value: ${goQuote(value)}: ${problems.join('; ')}`);
    }
  }
  if (errors.length === 0) return new Set(values);
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
