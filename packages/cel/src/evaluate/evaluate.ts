import type { Expr } from '../ast.ts';
import type { CelResult } from '../values/cel-value.ts';
import { Program } from './program.ts';
import type { Evaluation, EvaluationLimits } from './program.ts';

/**
 * Evaluates an expression once; `Program` does it many times.
 * @param expr the expression
 * @param variables what its names stand for
 * @returns its value, which is a CelEvaluationError when it has none, and what it cost
 */
export function evaluate(
  expr: Expr,
  variables: Readonly<Record<string, CelResult>> = {},
  limits: EvaluationLimits = {},
): Evaluation {
  return new Program(expr).evaluate(variables, limits);
}
