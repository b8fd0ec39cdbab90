import type { Expr } from '../ast.ts';
import type { CelResult } from '../values/cel-value.ts';
import { CelEvaluationError } from '../values/evaluation-error.ts';
import { BudgetExceeded, Meter } from './meter.ts';
import type { IterationBudget } from './meter.ts';
import { Planner } from './planner.ts';
import { RootScope } from './scope.ts';
import type { Step } from './scope.ts';

/** What one evaluation may cost in the API server. */
const maxCallCost = 1_000_000;

/** Rounds of loops that one evaluation may take: some seconds. */
const maxCallIterations = 5_000_000;

/** What an evaluation gives. */
export interface Evaluation {
  readonly value: CelResult;
  /** In the units of the API server. */
  readonly cost: number;
}

/** What an evaluation may take. */
export interface EvaluationLimits {
  readonly costLimit?: number;
  /** Shared by all evaluations that are given the same object. */
  readonly iterations?: IterationBudget;
}

/** An expression that is ready to be evaluated any number of times. */
export class Program {
  readonly #run: Step;

  /** @param expr the expression; it should have passed the type checker, which finds mistakes that show here only as errors of values */
  constructor(expr: Expr) {
    this.#run = guarded(() => new Planner().plan(expr).run);
  }

  /**
   * Evaluates the expression.
   * @param variables what its names stand for, like `self`
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

/** Values and expressions that nest a hundred thousand levels deep end the stack; that must not end the program. */
function failure(error: unknown): CelEvaluationError {
  if (error instanceof BudgetExceeded) return new CelEvaluationError(error.message);
  if (error instanceof RangeError)
    return new CelEvaluationError('the expression or its values are too large');
  throw error;
}
