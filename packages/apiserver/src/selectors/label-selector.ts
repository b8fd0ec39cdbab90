import { qualifiedName } from '../registry/name-rules.ts';

/** Tells whether an object with these labels is selected. */
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
  if (tokens.peek().text === ',')
    throw new SyntaxError("found ',', expected: !, identifier, or 'end of string'");
  for (;;) {
    requirements.push(parseRequirement(tokens));
    const { kind, text: found } = tokens.next();
    if (kind === 'end') break;
    if (found !== ',') throw new SyntaxError(`found '${found}', expected: ',' or 'end of string'`);
    if (tokens.peek().kind === 'end') throw new SyntaxError("found '', expected: identifier after ','");
  }
  return (labels) => requirements.every((requirement) => requirement(labels));
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
    case '==': {
      const value = parseValue(tokens);
      return (labels) => Object.hasOwn(labels, key) && labels[key] === value;
    }
    case '!=': {
      const value = parseValue(tokens);
      return (labels) => !Object.hasOwn(labels, key) || labels[key] !== value;
    }
    case 'in':
    case 'notin': {
      const values = parseValues(tokens);
      const wanted = operator === 'in';
      return (labels) => (Object.hasOwn(labels, key) ? values.has(labels[key] ?? '') === wanted : !wanted);
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
  if (!/^[-+]?\d+$/.test(value)) {
    throw new SyntaxError(
      `unable to parse requirement: values[0]: Invalid value: "${value}": for 'Gt', 'Lt' operators, the value must be an integer`,
    );
  }
  return (labels) => {
    const label = Object.hasOwn(labels, key) ? (labels[key] ?? '') : '';
    if (!/^[-+]?\d+$/.test(label)) return false;
    return operator === '>' ? Number(label) > Number(value) : Number(label) < Number(value);
  };
}

function parseKey(tokens: Tokens): string {
  const { kind, text } = tokens.next();
  if (kind !== 'word')
    throw new SyntaxError(`unable to parse requirement: found '${text}', expected: identifier`);
  const [error] = qualifiedName(text);
  if (error !== undefined)
    throw new SyntaxError(`unable to parse requirement: <nil>: Invalid value: "${text}": ${error}`);
  return text;
}

/** A value may be left out: `a=` asks for the empty one. */
function parseValue(tokens: Tokens): string {
  const { kind, text } = tokens.peek();
  if (kind === 'end' || text === ',') return '';
  if (kind !== 'word')
    throw new SyntaxError(`unable to parse requirement: found '${text}', expected: identifier`);
  return tokens.next().text;
}

function parseValues(tokens: Tokens): Set<string> {
  const open = tokens.next();
  if (open.text !== '(')
    throw new SyntaxError(`unable to parse requirement: found '${open.text}' expected: '('`);
  const values = new Set<string>();
  for (;;) {
    const { kind, text } = tokens.next();
    if (kind === 'word') {
      values.add(text);
      const { text: after } = tokens.next();
      if (after === ')') return values;
      if (after !== ',')
        throw new SyntaxError(`unable to parse requirement: found '${after}', expected: ',' or ')'`);
    } else if (text === ',' || text === ')') {
      values.add('');
      if (text === ')') return values;
    } else {
      throw new SyntaxError(`unable to parse requirement: found '${text}', expected: ',', ')' or identifier`);
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
    const start = rest.search(/\S/);
    if (start === -1) return { kind: 'end', text: '' };
    const text = rest.slice(start);
    const operator = operators.find((candidate) => text.startsWith(candidate));
    const word = operator ?? /^[^\s=!(),<>]+/.exec(text)?.[0] ?? text;
    this.#position += start + word.length;
    return { kind: operator === undefined ? 'word' : 'operator', text: word };
  }
}
