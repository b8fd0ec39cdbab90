import { cel } from '../../../crd/rules/cel.ts';
import { describeProblem } from '../../../crd/rules/describe-problem.ts';
import { type FieldError, invalid } from '../../../status/field-error.ts';

/** The variables of every expression about a request. */
const variables = ['object', 'oldObject', 'request', 'namespaceObject'];

/** The expected result of an expression: `any` where values of several types are allowed. */
type Result = 'bool' | 'any';

/**
 * Checks that an expression about a request compiles. The types of the request's fields and the functions of the
 * authorizer are not declared here: whatever depends on them passes.
 *
 * @param others further variables besides the objects and the request
 */
export function validateExpression(
  expression: string,
  field: string,
  result: Result,
  others: readonly string[],
): FieldError[] {
  if (expression.trim() === '') return [];
  const [problem] = cel().checkCondition(expression, [...variables, ...others]);
  if (!problem || (problem.code !== 'syntax' && /\bauthorizer\b/.test(expression))) return [];
  if (problem.code !== 'result-type')
    return [invalid(field, expression, `compilation failed: ${describeProblem(problem, expression)}`)];
  const type = /^the expression is (.*), not bool$/.exec(problem.message)?.[1] ?? 'unknown';
  const isKnown = type !== 'dyn' || !/\brequest\b/.test(expression);
  return result === 'any' || !isKnown
    ? []
    : [invalid(field, expression, `must evaluate to bool but got ${type}`)];
}
