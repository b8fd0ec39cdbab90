import type { MatchCondition } from 'ots-kubernetes/admissionregistration/v1';
import { aggregate } from '../authorization/rbac-authorizer.ts';
import {
  type CostBudget,
  type Expression,
  OutOfBudgetError,
  evaluateExpression,
} from '../expressions/evaluate-expressions.ts';
import { ExpressionCompiler } from '../expressions/expression-compiler.ts';
import {
  type CompiledVariables,
  type ExpressionInput,
  ExpressionScope,
} from '../expressions/expression-scope.ts';

/** Whether a request meets all conditions, or why that is not known, in the words of kube-apiserver. */
export type ConditionsResult = { readonly matches: boolean } | { readonly error: string };

/** The cost limit of the conditions of one webhook, or of one binding of a policy. */
const conditionsBudget = 2_500_000;

/** The `matchConditions` of a webhook or a policy. They never see `namespaceObject`. */
export class MatchConditions {
  readonly #expressions: readonly Expression[];
  readonly #variables: CompiledVariables | undefined;
  readonly #isIgnored: boolean;

  /**
   * Compiles the conditions. CEL must be loaded: see `loadCel`.
   *
   * @param failurePolicy with `Ignore`, conditions that cannot be evaluated are not met. Default `Fail`: they are an error
   * @param policy the compiler of the policy and its variables; a webhook has none
   */
  constructor(
    conditions: readonly MatchCondition[],
    failurePolicy = 'Fail',
    policy?: { compiler: ExpressionCompiler; variables: CompiledVariables },
  ) {
    const compiler = policy?.compiler ?? new ExpressionCompiler();
    this.#expressions = conditions.map(({ expression: text }) => ({
      text,
      compiled: compiler.compile(text, 'bool'),
    }));
    this.#variables = policy?.variables;
    this.#isIgnored = failurePolicy === 'Ignore';
  }

  /** Evaluates the conditions. One that is false decides, whatever happens to the others. */
  match(input: ExpressionInput): ConditionsResult {
    if (this.#expressions.length === 0) return { matches: true };
    const scope = new ExpressionScope({ ...input, namespace: undefined }, this.#variables);
    const errors: string[] = [];
    try {
      const budget: CostBudget = { left: conditionsBudget };
      const all = this.#expressions.map((expression) => evaluateExpression(expression, scope, budget));
      for (const evaluated of all) {
        if ('error' in evaluated) errors.push(evaluated.error);
        else if (evaluated.value === false) return { matches: false };
      }
    } catch (error) {
      if (!(error instanceof OutOfBudgetError)) throw error;
      return this.#failed(error.message);
    }
    return errors.length === 0 ? { matches: true } : this.#failed(aggregate(errors));
  }

  #failed(error: string): ConditionsResult {
    return this.#isIgnored ? { matches: false } : { error };
  }
}
