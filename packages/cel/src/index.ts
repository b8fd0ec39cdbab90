export type * from './ast.ts';
export { compileExpression, typeCheck } from './admission/compile-expression.ts';
export { objectType } from './admission/object-type.ts';
export type {
  CompiledExpression,
  ExpressionError,
  ExpressionResult,
} from './admission/compile-expression.ts';
export { requestEnvironment, variableType } from './admission/request-environment.ts';
export type { RequestEnvironmentOptions } from './admission/request-environment.ts';
export type { Environment } from './compile.ts';
export { explainProblems } from './describe-problems.ts';
export type { IterationBudget } from './evaluate/meter.ts';
export { dynType as anyType } from './types/cel-type.ts';
export type { CelType } from './types/cel-type.ts';
export { Authorizer, ResourceCheck } from './values/authorization.ts';
export type { AccessAnswer, AccessQuestion, Authorize } from './values/authorization.ts';
export { createdJson, misplacedTypes } from './functions/created-json.ts';
export { CreatedObject } from './values/created-object.ts';
export { fromPlainJson } from './values/dynamic-value.ts';
export { LazyMap } from './values/lazy-map.ts';
export { checkCondition } from './check-condition.ts';
export { escapeProperty, unescapeProperty } from './escape-property.ts';
export { matchesPattern } from './pattern/matches-pattern.ts';
export { PatternError } from './pattern/pattern-error.ts';
export { parsePattern } from './pattern/parse-pattern.ts';
export { CelSyntaxError } from './parse/cel-syntax-error.ts';
export { parse } from './parse/parse.ts';
export { checkRules } from './rules/check-rules.ts';
export type { CheckedRules } from './rules/check-rules.ts';
export { expressionBudget, schemaBudget } from './rules/rule-budgets.ts';
export type { RuleCost } from './rules/rule-cost.ts';
export type { RuleArgument, RuleProblem, RuleProblemCode } from './rules/rule-problem.ts';
export type { StructuralSchema, ValidationRule } from './schema/structural-schema.ts';
export { evaluate } from './evaluate/evaluate.ts';
export { Program } from './evaluate/program.ts';
export type { Evaluation, EvaluationLimits } from './evaluate/program.ts';
export type { RuleFailure } from './evaluate/rule-runner.ts';
export { validateRules } from './evaluate/validate-rules.ts';
export type { ValidateRulesOptions } from './evaluate/validate-rules.ts';
export type { CelResult, CelValue } from './values/cel-value.ts';
export { CelEvaluationError } from './values/evaluation-error.ts';
export { fromJson } from './values/from-json.ts';
