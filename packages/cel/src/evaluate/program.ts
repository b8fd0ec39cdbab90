import type { Expr } from '../ast.ts';
import type { CelResult } from '../values/cel-value.ts';
import { CelEvaluationError } from '../values/evaluation-error.ts';
import { BudgetExceededError, Meter } from './meter.ts';
import type { IterationBudget } from './meter.ts';
import { Planner } from './planner.ts';
import { RootScope } from './scope.ts';
import type { Step } from './scope.ts';

/** The API server's cost limit for one evaluation. */
const maxCallCost = 1_000_000;

/** The maximum number of loop iterations in one evaluation, about some seconds. */
const maxCallIterations = 5_000_000;

/** The result of an evaluation. */
export interface Evaluation {
  readonly value: CelResult;
  /** In the API server's units. */
  readonly cost: number;
}

/** The limits of an evaluation. */
export interface EvaluationLimits {
  readonly costLimit?: number;
  /** Shared by all evaluations with the same object. */
  readonly iterations?: IterationBudget;
}

/** A compiled expression. */
export class Program {
  readonly #run: Step;

  /** @param expr the expression; it should be type-checked, because type errors appear here only as errors of values */
  constructor(expr: Expr) {
    this.#run = guarded(() => new Planner().plan(expr).run);
  }

  /**
   * Evaluates the expression.
   *
   * @param variables the values of its variables, such as `self`
   */
  evaluate(variables: Readonly<Record<string, CelResult>>, limits: EvaluationLimits = {}): Evaluation {
    const { costLimit = maxCallCost, iterations = { left: maxCallIterations } } = limits;
    const meter = new Meter(costLimit, iterations);
    const value = this.#evaluate(new RootScope(variables, meter));
    return { value, cost: meter.cost };
  }

  #evaluate(scope: RootScope): CelResult {
    try {
      return this.#run(scope);
    } catch (error) {
      return failure(error);
    }
  }
}

function guarded(plan: () => Step): Step {
  try {
    return plan();
  } catch (error) {
    const result = failure(error);
    return () => result;
  }
}

/** Values and expressions nested a hundred thousand levels deep exhaust the stack, which must not end the process. */
function failure(error: unknown): CelEvaluationError {
  if (error instanceof BudgetExceededError) return new CelEvaluationError(error.message);
  if (error instanceof RangeError)
    return new CelEvaluationError('the expression or its values are too large');
  throw error;
}
