import type { CelValue, CompiledExpression, ExpressionError } from 'ots-cel';
import { cel } from '../crd/rules/cel.ts';
import type { ExpressionScope } from './expression-scope.ts';

/** An expression with its text, which errors quote. */
export interface Expression {
  readonly text: string;
  readonly compiled: CompiledExpression | ExpressionError;
}

/** The value of an expression, or why it has none, in the words of kube-apiserver. */
export type Evaluated = { readonly value: CelValue } | { readonly error: string };

/** The expressions of a group cost too much together. */
export class OutOfBudgetError extends Error {
  constructor() {
    super('validation failed due to running out of cost budget, no further validation rules will be run');
    this.name = 'OutOfBudgetError';
  }
}

/** What a group of expressions may still cost. */
export interface CostBudget {
  left: number;
}

/**
 * Evaluates an expression.
 *
 * @param budget is reduced
 * @throws {OutOfBudgetError}
 */
export function evaluateExpression(
  { text, compiled }: Expression,
  scope: ExpressionScope,
  budget: CostBudget,
): Evaluated {
  if ('error' in compiled) return { error: `compilation error: ${compiled.error}` };
  const { value, cost } = compiled.program.evaluate(scope.values, { iterations: scope.iterations });
  spend(budget, scope.takeVariablesCost());
  spend(budget, cost);
  if (!(value instanceof cel().CelEvaluationError)) return { value };
  return { error: `expression '${text}' resulted in error: ${value.message}` };
}

function spend(budget: CostBudget, cost: number): void {
  if (cost > budget.left) throw new OutOfBudgetError();
  budget.left -= cost;
}
