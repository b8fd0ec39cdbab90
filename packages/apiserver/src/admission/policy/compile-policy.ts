import type { MatchCondition, ParamKind, Variable } from 'ots-kubernetes/admissionregistration/v1';
import { ExpressionCompiler } from '../../expressions/expression-compiler.ts';
import type { CompiledVariables } from '../../expressions/expression-scope.ts';
import { MatchConditions } from '../match-conditions.ts';

/** The parts of a policy that both kinds have. */
interface PolicyExpressions {
  readonly failurePolicy?: string;
  readonly paramKind?: ParamKind;
  readonly matchConditions?: readonly MatchCondition[];
  readonly variables?: readonly Variable[];
}

/** The compiled parts of a policy that both kinds have. */
export interface CompiledPolicy {
  readonly compiler: ExpressionCompiler;
  readonly variables: CompiledVariables;
  readonly conditions: MatchConditions;
}

/** Compiles the variables and the conditions of a policy. */
export function compilePolicy({
  failurePolicy,
  paramKind,
  matchConditions = [],
  variables = [],
}: PolicyExpressions): CompiledPolicy {
  const compiler = new ExpressionCompiler({ params: paramKind !== undefined, composed: true });
  const compiled: CompiledVariables = new Map(
    variables.map((variable) => [variable.name, compiler.compileVariable(variable)]),
  );
  const conditions = new MatchConditions(matchConditions, failurePolicy, { compiler, variables: compiled });
  return { compiler, variables: compiled, conditions };
}

/** The cost limit of the expressions of one binding with one parameter. */
export const policyBudget = 10_000_000;
