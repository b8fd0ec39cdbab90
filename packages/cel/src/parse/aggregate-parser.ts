import type { ListExpr, MapExpr, StructExpr } from '../ast.ts';
import type { ExprFactory } from './expr-factory.ts';
import type { Parsed } from './primary-parser.ts';
import type { TokenReader } from './token-reader.ts';
import type { Token } from './token.ts';

/** Parses lists, maps and messages. A trailing comma is allowed, and so is a single comma without items. */
export class AggregateParser {
  readonly #tokens: TokenReader;
  readonly #make: ExprFactory;
  readonly #parseExpr: () => Parsed;

  constructor(tokens: TokenReader, make: ExprFactory, parseExpr: () => Parsed) {
    this.#tokens = tokens;
    this.#make = make;
    this.#parseExpr = parseExpr;
  }

  list(): Parsed<ListExpr> {
    const { start } = this.#tokens.next();
    let height = 0;
    const elements = this.#items(']', 'a list', () => {
      const optional = this.#tokens.take('?');
      const value = this.#parseExpr();
      height = Math.max(height, value.height);
      return { value: value.expr, optional };
    });
    return { expr: this.#make.list({ start, end: this.#tokens.end }, elements), height };
  }

  map(): Parsed<MapExpr> {
    const { start } = this.#tokens.next();
    let height = 0;
    const entries = this.#items('}', 'a map', () => {
      const optional = this.#tokens.take('?');
      const key = this.#parseExpr();
      const value = this.#valueAfterColon('a map has keys and values: {"key": value}');
      height = Math.max(height, key.height, value.height);
      return { key: key.expr, value: value.expr, optional };
    });
    return { expr: this.#make.map({ start, end: this.#tokens.end }, entries), height };
  }

  message(typeName: string, start: number, fieldName: () => Token): Parsed<StructExpr> {
    const { start: at } = this.#tokens.next();
    let height = 0;
    const fields = this.#items('}', 'a message', () => {
      const optional = this.#tokens.take('?');
      const name = fieldName().text;
      const colon = this.#tokens.peek().start;
      const value = this.#valueAfterColon('a message has fields and values: Name{field: value}');
      height = Math.max(height, value.height);
      return { name, value: value.expr, optional, colon };
    });
    return { expr: this.#make.struct({ start, end: this.#tokens.end, at }, typeName, fields), height };
  }

  #valueAfterColon(hint: string): Parsed {
    this.#tokens.expect(':', hint);
    return this.#parseExpr();
  }

  #items<T>(closing: string, what: string, parseItem: () => T): T[] {
    const items: T[] = [];
    if (!this.#tokens.is(closing) && !this.#tokens.is(',')) {
      items.push(parseItem());
      while (!this.#tokens.is(closing, 1) && this.#tokens.take(',')) items.push(parseItem());
    }
    this.#tokens.take(',');
    this.#tokens.expect(closing, `close ${what} with "${closing}", or put a comma between items`);
    return items;
  }
}
