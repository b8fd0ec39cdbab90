import type { Expr, Range } from '../ast.ts';
import { balance } from './balance.ts';
import { ExprFactory } from './expr-factory.ts';
import { heightAbove, Nesting } from './nesting.ts';
import { PrimaryParser } from './primary-parser.ts';
import { TokenReader } from './token-reader.ts';
import type { Token } from './token.ts';

const relations = new Set(['<', '<=', '>=', '>', '==', '!=', 'in']);
const sumOperators = new Set(['+', '-']);
const productOperators = new Set(['*', '/', '%']);

/** Parses operators; PrimaryParser parses their operands. */
export class Parser {
  readonly #tokens: TokenReader;
  readonly #make = new ExprFactory();
  readonly #nesting = new Nesting();
  readonly #primary: PrimaryParser;
  /** The height of the last expression. */
  #height = 0;

  constructor(text: string) {
    this.#tokens = new TokenReader(text);
    this.#primary = new PrimaryParser(this.#tokens, this.#make, () => {
      const expr = this.#expr();
      return { expr, height: this.#height };
    });
  }

  /** @throws CelSyntaxError */
  parse(): Expr {
    const expr = this.#expr();
    if (this.#tokens.peek().kind === 'end') return expr;
    throw this.#tokens.unexpected(
      'an operator or the end of the expression',
      'a rule is one expression: combine conditions with "&&"',
    );
  }

  #expr(): Expr {
    this.#nesting.enter('expr', this.#tokens.peek());
    const condition = this.#logical('||');
    if (!this.#tokens.is('?')) {
      this.#nesting.leave('expr');
      return condition;
    }
    const { start: nameStart } = this.#tokens.next();
    const conditionHeight = this.#height;
    const yes = this.#logical('||');
    const yesHeight = this.#height;
    this.#tokens.expect(':', 'a condition has two outcomes: condition ? one : other');
    const no = this.#expr();
    const range = { start: condition.start, end: no.end };
    this.#height = heightAbove(range, conditionHeight, yesHeight, this.#height);
    this.#nesting.leave('expr');
    return this.#make.call(range, '_?_:_', [condition, yes, no], nameStart);
  }

  #logical(operator: '||' | '&&'): Expr {
    const operand = (): Expr => (operator === '||' ? this.#logical('&&') : this.#relation());
    const first = operand();
    if (!this.#tokens.is(operator)) return first;
    const terms = [first];
    let height = this.#height;
    while (this.#tokens.take(operator)) {
      terms.push(operand());
      height = Math.max(height, this.#height);
    }
    this.#height = height;
    return balance(terms, (left, right) =>
      this.#make.call({ start: left.start, end: right.end }, `_${operator}_`, [left, right]),
    );
  }

  #relation(): Expr {
    this.#nesting.enter('relation', this.#tokens.peek());
    const expr = this.#chain(relations, 'relation', () => this.#calc());
    this.#nesting.leave('relation');
    return expr;
  }

  #calc(): Expr {
    this.#nesting.enter('calc', this.#tokens.peek());
    const expr = this.#chain(sumOperators, 'calc', () => this.#product());
    this.#nesting.leave('calc');
    return expr;
  }

  #product(): Expr {
    return this.#chain(productOperators, 'calc', () => this.#unary());
  }

  /** Operands with operators of one precedence level, which nest to the left. */
  #chain(operators: ReadonlySet<string>, rule: 'relation' | 'calc', parseOperand: () => Expr): Expr {
    let left = parseOperand();
    for (let operator = this.#operator(operators); operator; operator = this.#operator(operators)) {
      left = this.#binary(left, operator, rule, parseOperand);
    }
    return left;
  }

  /** Reads an operator of the set if it comes next. */
  #operator(operators: ReadonlySet<string>): Token | undefined {
    const { kind, text } = this.#tokens.peek();
    if ((kind !== 'symbol' && kind !== 'keyword') || !operators.has(text)) return undefined;
    return this.#tokens.next();
  }

  #binary(left: Expr, operator: Token, rule: 'relation' | 'calc', parseOperand: () => Expr): Expr {
    const leftHeight = this.#height;
    this.#nesting.enter(rule, this.#tokens.peek());
    const right = parseOperand();
    this.#nesting.leave(rule);
    const range = { start: left.start, end: right.end };
    this.#height = heightAbove(range, leftHeight, this.#height);
    const name = operator.text === 'in' ? '@in' : `_${operator.text}_`;
    return this.#make.call(range, name, [left, right], operator.start);
  }

  /** `!!!x` keeps one `!`, `!!x` none; the same for `-`. A `-` before a number belongs to the number. */
  #unary(): Expr {
    const { start } = this.#tokens.peek();
    if (this.#tokens.is('!')) return this.#prefixed('!', '!_', start);
    if (this.#tokens.is('-') && !this.#primary.atNegativeNumber()) return this.#prefixed('-', '-_', start);
    return this.#member();
  }

  #prefixed(symbol: '!' | '-', name: string, start: number): Expr {
    let odd = false;
    while (this.#tokens.take(symbol)) odd = !odd;
    const operand = this.#member();
    const range: Range = { start, end: operand.end };
    return odd ? this.#make.call(range, name, [operand]) : operand;
  }

  #member(): Expr {
    const { expr, height } = this.#primary.member();
    this.#height = height;
    return expr;
  }
}
