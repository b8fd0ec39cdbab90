import { CelSyntaxError } from './cel-syntax-error.ts';
import { tokenize } from './lexer.ts';
import type { Token } from './token.ts';

/** Reads the tokens of an expression, and reports missing ones. */
export class TokenReader {
  readonly #tokens: readonly Token[];
  #position = 0;

  /**
   * @param text the expression
   * @throws CelSyntaxError for an invalid token
   */
  constructor(text: string) {
    this.#tokens = tokenize(text);
  }

  /** The next token, or one further ahead; `end` after the last. */
  peek(ahead = 0): Token {
    return this.#tokens[Math.min(this.#position + ahead, this.#tokens.length - 1)]!;
  }

  next(): Token {
    const token = this.peek();
    this.#position++;
    return token;
  }

  /** The end offset of the last token read. */
  get end(): number {
    return this.#tokens[this.#position - 1]?.end ?? 0;
  }

  is(symbol: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === 'symbol' && token.text === symbol;
  }

  /** Reads the symbol if it comes next. */
  take(symbol: string): boolean {
    const found = this.is(symbol);
    if (found) this.#position++;
    return found;
  }

  /**
   * Reads a symbol that must come next.
   *
   * @throws CelSyntaxError when something else does
   */
  expect(symbol: string, hint: string): Token {
    if (this.is(symbol)) return this.next();
    throw this.unexpected(`"${symbol}"`, hint);
  }

  /** The error about the next token. */
  unexpected(expected: string, hint: string): CelSyntaxError {
    const token = this.peek();
    const found = token.kind === 'end' ? 'the end of the expression' : token.text;
    return new CelSyntaxError(`expected ${expected}, found ${found}`, hint, token);
  }
}
