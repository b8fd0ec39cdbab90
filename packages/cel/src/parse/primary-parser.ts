import type { Expr, Range, StructExpr } from '../ast.ts';
import { AggregateParser } from './aggregate-parser.ts';
import { CelSyntaxError } from './cel-syntax-error.ts';
import type { ExprFactory } from './expr-factory.ts';
import { expandMacro } from './macros.ts';
import { heightAbove } from './nesting.ts';
import { parseLiteral } from './parse-literal.ts';
import { reservedWords } from './reserved-words.ts';
import type { TokenReader } from './token-reader.ts';
import type { Token } from './token.ts';

/** An expression and the height of its tree, see Nesting. */
export interface Parsed<E extends Expr = Expr> {
  readonly expr: E;
  readonly height: number;
}

const fieldHint =
  'write the name of a field; a property with other characters has escapes in its name, as in self.my__dash__name';
const valueHint = 'write a field (self.x), a value, a call, a list or a map';

/** Parses operands: values, variables, calls, lists, maps, and the fields and methods after them. */
export class PrimaryParser {
  readonly #tokens: TokenReader;
  readonly #make: ExprFactory;
  readonly #parseExpr: () => Parsed;
  readonly #aggregates: AggregateParser;

  /** @param parseExpr parses a whole expression, for arguments and brackets */
  constructor(tokens: TokenReader, make: ExprFactory, parseExpr: () => Parsed) {
    this.#tokens = tokens;
    this.#make = make;
    this.#parseExpr = parseExpr;
    this.#aggregates = new AggregateParser(tokens, make, parseExpr);
  }

  atNegativeNumber(): boolean {
    const { kind } = this.#tokens.peek(1);
    return this.#tokens.is('-') && (kind === 'int' || kind === 'double');
  }

  /** A value with the fields, methods and indexes after it. */
  member(): Parsed {
    let parsed = this.#primary();
    for (;;) {
      if (this.#tokens.is('.')) parsed = this.#field(parsed);
      else if (this.#tokens.is('[')) parsed = this.#index(parsed);
      else return parsed;
    }
  }

  #field(operand: Parsed): Parsed {
    const { start: at } = this.#tokens.next();
    const optional = this.#tokens.take('?');
    const name = this.#fieldName();
    if (!optional && this.#tokens.is('(')) return this.#method(operand, name);
    const range = { start: operand.expr.start, end: name.end, at };
    const height = heightAbove(range, operand.height);
    if (!optional)
      return { expr: this.#make.select(range, operand.expr, name.text, false, name.start), height };
    const field = this.#make.literal(name, { type: 'string', value: name.text });
    return { expr: this.#make.call(range, '_?._', [operand.expr, field], name.start), height };
  }

  #fieldName(): Token {
    const token = this.#tokens.peek();
    if (token.kind === 'identifier') return this.#tokens.next();
    if (token.kind === 'quoted-identifier') {
      throw new CelSyntaxError('the API server does not accept names in backquotes', fieldHint, token);
    }
    if (token.kind === 'keyword') {
      throw new CelSyntaxError(
        `${token.text} is not a valid field name`,
        `write the escaped name of the property: .__${token.text}__`,
        token,
      );
    }
    throw this.#tokens.unexpected('the name of a field', fieldHint);
  }

  #method(operand: Parsed, name: Token): Parsed {
    const { args, height, at } = this.#args();
    const range = { start: operand.expr.start, end: this.#tokens.end, at };
    const call = { name: name.text, range, target: operand.expr, args };
    const expr =
      expandMacro(call, this.#make) ?? this.#make.method(range, name.text, operand.expr, args, name.start);
    return { expr, height: heightAbove(range, operand.height, height) };
  }

  #index(operand: Parsed): Parsed {
    const { start: nameStart } = this.#tokens.next();
    const optional = this.#tokens.take('?');
    const index = this.#parseExpr();
    this.#tokens.expect(']', 'close the index with "]"');
    const range = { start: operand.expr.start, end: this.#tokens.end };
    const expr = this.#make.call(range, optional ? '_[?_]' : '_[_]', [operand.expr, index.expr], nameStart);
    return { expr, height: heightAbove(range, operand.height, index.height) };
  }

  /** `at` is the offset of the parenthesis. */
  #args(): { readonly args: Expr[]; readonly height: number; readonly at: number } {
    const { start: at } = this.#tokens.expect('(', 'write the arguments in parentheses');
    const args: Expr[] = [];
    let height = 0;
    if (this.#tokens.take(')')) return { args, height, at };
    do {
      const arg = this.#parseExpr();
      args.push(arg.expr);
      height = Math.max(height, arg.height);
    } while (this.#tokens.take(','));
    this.#tokens.expect(')', 'close the arguments with ")", or put a comma between them');
    return { args, height, at };
  }

  #primary(): Parsed {
    const token = this.#tokens.peek();
    if (this.#tokens.is('(')) return this.#parenthesized();
    if (this.#tokens.is('[')) return this.#aggregates.list();
    if (this.#tokens.is('{')) return this.#aggregates.map();
    if (token.kind === 'identifier' || (this.#tokens.is('.') && this.#tokens.peek(1).kind === 'identifier'))
      return this.#named();
    const negative = this.atNegativeNumber();
    const value = parseLiteral(this.#tokens.peek(negative ? 1 : 0), negative);
    if (!value) throw this.#tokens.unexpected('a value', valueHint);
    if (negative) this.#tokens.next();
    this.#tokens.next();
    return { expr: this.#make.literal({ start: token.start, end: this.#tokens.end }, value), height: 0 };
  }

  #parenthesized(): Parsed {
    this.#tokens.next();
    const parsed = this.#parseExpr();
    this.#tokens.expect(')', 'close the parenthesis with ")"');
    return parsed;
  }

  /** A variable, a function or a message. */
  #named(): Parsed {
    const { start } = this.#tokens.peek();
    if (this.#atMessage()) return this.#message(start);
    const dot = this.#tokens.take('.') ? '.' : '';
    const token = this.#tokens.next();
    const range: Range = { start, end: token.end };
    if (reservedWords.has(token.text)) {
      throw new CelSyntaxError(
        `${token.text} is a reserved word`,
        'a variable needs another name; a field follows a dot, as in self.x',
        token,
      );
    }
    const name = dot + token.text;
    if (!this.#tokens.is('(')) return { expr: this.#make.ident(range, name), height: 0 };
    const { args, height, at } = this.#args();
    const call = { name, range: { start, end: this.#tokens.end, at }, target: undefined, args };
    return { expr: expandMacro(call, this.#make) ?? this.#make.call(call.range, name, args), height };
  }

  /** Whether `a.b.c{` comes next. */
  #atMessage(): boolean {
    let ahead = this.#tokens.is('.') ? 2 : 1;
    while (this.#tokens.is('.', ahead) && this.#tokens.peek(ahead + 1).kind === 'identifier') ahead += 2;
    return this.#tokens.is('{', ahead);
  }

  #message(start: number): Parsed<StructExpr> {
    let name = '';
    while (!this.#tokens.is('{')) name += this.#tokens.next().text;
    return this.#aggregates.message(name, start, () => this.#fieldName());
  }
}
