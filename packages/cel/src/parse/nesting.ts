import type { Range } from '../ast.ts';
import { CelSyntaxError } from './cel-syntax-error.ts';

const maxDepth = 250;

/** The rules of the grammar that can be nested more often than any other at one place. */
export type Rule = 'expr' | 'relation' | 'calc';

/**
 * The nesting depth of an expression. The API server allows 250 nested uses of each grammar rule, and a syntax
 * tree of 250 levels of operators, fields and calls (as in `a.b.c`, which nests to the left).
 */
export class Nesting {
  readonly #open: Record<Rule, number> = { expr: 0, relation: 0, calc: 0 };

  /** @throws CelSyntaxError when the rule is nested too deep */
  enter(rule: Rule, at: Range): void {
    if (++this.#open[rule] > maxDepth) throw tooDeep(at);
  }

  leave(rule: Rule): void {
    this.#open[rule]--;
  }
}

/**
 * @param heights the heights of the operands of an operator, a field or a call
 * @returns the height of the whole
 * @throws CelSyntaxError when it is too high
 */
export function heightAbove(at: Range, ...heights: readonly number[]): number {
  const height = Math.max(...heights) + 1;
  if (height > maxDepth) throw tooDeep(at);
  return height;
}

function tooDeep(at: Range): CelSyntaxError {
  return new CelSyntaxError(
    'an expression that is nested too deeply',
    'split it into several rules, or join with "&&", which does not nest',
    at,
  );
}
