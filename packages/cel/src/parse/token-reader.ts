import { CelSyntaxError } from './cel-syntax-error.ts';
import { tokenize } from './lexer.ts';
import type { Token } from './token.ts';

/** Goes through the tokens of an expression, and says what is missing. */
export class TokenReader {
  readonly #tokens: readonly Token[];
  #position = 0;

  /**
   * @param text the expression
   * @throws CelSyntaxError for what is no token
   */
  constructor(text: string) {
    this.#tokens = tokenize(text);
  }

  /** The token that comes next, or one further ahead; `end` after the last. */
  peek(ahead = 0): Token {
    return this.#tokens[Math.min(this.#position + ahead, this.#tokens.length - 1)]!;
  }

  next(): Token {
    const token = this.peek();
    this.#position++;
    return token;
  }

  /** Where the last token that was read ends. */
  get end(): number {
    return this.#tokens[this.#position - 1]?.end ?? 0;
  }

  is(symbol: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === 'symbol' && token.text === symbol;
  }

  /** Reads the symbol when it comes next. */
  take(symbol: string): boolean {
    const found = this.is(symbol);
    if (found) this.#position++;
    return found;
  }

  /**
   * Reads a symbol that must come next.
   * @throws CelSyntaxError when something else does
   */
  expect(symbol: string, hint: string): Token {
    if (this.is(symbol)) return this.next();
    throw this.unexpected(`"${symbol}"`, hint);
  }

  /** The error for what comes next. */
  unexpected(expected: string, hint: string): CelSyntaxError {
    const token = this.peek();
    const found = token.kind === 'end' ? 'the end of the expression' : token.text;
    return new CelSyntaxError(`expected ${expected}, found ${found}`, hint, token);
  }
}
