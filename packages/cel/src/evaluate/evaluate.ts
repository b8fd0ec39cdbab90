import type { Expr } from '../ast.ts';
import type { CelResult } from '../values/cel-value.ts';
import { Program } from './program.ts';
import type { Evaluation, EvaluationLimits } from './program.ts';

/**
 * Evaluates an expression once; use `Program` to evaluate it many times.
 *
 * @param expr the expression
 * @param variables the values of its variables
 * @returns its value, which may be a CelEvaluationError, and its cost
 */
export function evaluate(
  expr: Expr,
  variables: Readonly<Record<string, CelResult>> = {},
  limits: EvaluationLimits = {},
): Evaluation {
  return new Program(expr).evaluate(variables, limits);
}
