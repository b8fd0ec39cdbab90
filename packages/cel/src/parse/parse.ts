import type { Expr } from '../ast.ts';
import { codePointLength } from '../values/code-points.ts';
import { CelSyntaxError } from './cel-syntax-error.ts';
import { Parser } from './parser.ts';

/** In Unicode characters. */
const maxLength = 100_000;

/**
 * Parses an expression like the API server: the full grammar of the CEL specification with optional values, and
 * expanded macros.
 *
 * @param text the expression
 * @returns its syntax tree
 * @throws CelSyntaxError when it is not CEL, too long or nested too deeply
 */
export function parse(text: string): Expr {
  if (text.length > maxLength && codePointLength(text) > maxLength) {
    throw new CelSyntaxError(
      `an expression of more than ${maxLength} characters`,
      'split it into several rules',
      { start: 0, end: text.length },
    );
  }
  return new Parser(text).parse();
}
