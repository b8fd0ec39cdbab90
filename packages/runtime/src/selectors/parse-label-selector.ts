import { checkLabelKey, checkLabelValue } from './label-syntax.ts';
import type { Requirement } from './requirement.ts';
import { SelectorError } from './selector-error.ts';

// Longest first: `==` is not two `=`.
const tokenPattern = /[ \t\r\n]*(?:(==|!=|[=!(),<>])|([^ \t\r\n=!(),<>]+))/gy;

interface Token {
  text: string;
  /** A key, a value, `in` or `notin`, and not punctuation. */
  isWord: boolean;
}

const end: Token = { text: '', isWord: false };
const operators = new Set(['in', 'notin', '=', '==', '!=', '>', '<']);

/**
 * The conditions in the text of a label selector, as after `kubectl -l`: `app=web,tier!=cache,env in (a, b),!old`.
 * Sorted by key, as Kubernetes does. The empty text has no conditions and selects all.
 * @throws {SelectorError} when Kubernetes would refuse it.
 */
export function parseLabelSelector(text: string): Requirement[] {
  const parser = new Parser(text);
  const requirements = parser.requirements();
  return requirements.toSorted((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)));
}

class Parser {
  readonly #text: string;
  readonly #tokens: Token[];
  #position = 0;

  constructor(text: string) {
    this.#text = text;
    this.#tokens = tokensOf(text);
  }

  requirements(): Requirement[] {
    const requirements: Requirement[] = [];
    if (this.#next === end) return requirements;
    for (;;) {
      requirements.push(this.#requirement());
      const separator = this.#take();
      if (separator === end) return requirements;
      if (separator.text !== ',') this.#refuse(separator, "',' or the end");
    }
  }

  get #next(): Token {
    return this.#tokens[this.#position] ?? end;
  }

  #take(): Token {
    const token = this.#next;
    this.#position += 1;
    return token;
  }

  #requirement(): Requirement {
    const negated = this.#next.text === '!';
    if (negated) this.#take();
    const key = this.#word('a label key');
    checkLabelKey(key);
    const hasNoOperator = this.#next === end || this.#next.text === ',';
    if (hasNoOperator) return { key, operator: negated ? 'DoesNotExist' : 'Exists', values: [] };
    if (negated) this.#refuse(this.#next, "',' or the end, since '!' takes no operator");
    const operator = this.#take();
    if (!operators.has(operator.text)) this.#refuse(operator, `one of ${[...operators].join(', ')}`);
    const values = operator.isWord ? this.#set() : [this.#value()];
    for (const value of values) checkLabelValue(value);
    return this.#withOperator(key, operator.text, values);
  }

  #withOperator(key: string, operator: string, values: string[]): Requirement {
    switch (operator) {
      case '>':
      case '<':
        if (wholeNumber(values[0]!) === undefined) {
          throw this.#error(
            `compares the label ${key} with ${JSON.stringify(values[0])}, which is no integer`,
          );
        }
        return { key, operator: operator === '>' ? 'Gt' : 'Lt', values };
      case '!=':
      case 'notin':
        return { key, operator: 'NotIn', values };
      default:
        return { key, operator: 'In', values };
    }
  }

  /** What follows `=` and its like: nothing means the empty value. */
  #value(): string {
    return this.#next === end || this.#next.text === ',' ? '' : this.#word('a label value');
  }

  /** `(a, b)`. A missing value is the empty one: `()` holds it, and `(a,)` as well. */
  #set(): string[] {
    const values = new Set<string>();
    const open = this.#take();
    if (open.text !== '(') this.#refuse(open, "'('");
    for (;;) {
      values.add(this.#next.isWord ? this.#take().text : '');
      const separator = this.#take();
      if (separator.text === ')') return [...values].toSorted();
      if (separator.text !== ',') this.#refuse(separator, "',' or ')'");
    }
  }

  #word(expected: string): string {
    const token = this.#take();
    if (!token.isWord) this.#refuse(token, expected);
    return token.text;
  }

  #refuse(found: Token, expected: string): never {
    const what = found === end ? 'ends' : `has ${JSON.stringify(found.text)}`;
    throw this.#error(`${what} where ${expected} is expected`);
  }

  #error(problem: string): SelectorError {
    return new SelectorError(
      `The label selector ${JSON.stringify(this.#text)} ${problem}`,
      'Write it as for kubectl -l: key=value, key!=value, key in (a,b), key notin (a,b), key, !key; joined by commas.',
    );
  }
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  for (const [, punctuation, word] of text.matchAll(tokenPattern)) {
    tokens.push({ text: punctuation ?? word ?? '', isWord: word !== undefined });
  }
  return tokens;
}

/** As far as 64 bits go, which is as far as Kubernetes compares; undefined when the text is no such number. */
export function wholeNumber(text: string): bigint | undefined {
  if (!/^[-+]?[0-9]+$/.test(text)) return undefined;
  const number = BigInt(text.replace('+', ''));
  return BigInt.asIntN(64, number) === number ? number : undefined;
}
