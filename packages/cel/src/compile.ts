import { checkLiterals } from './check/check-literals.ts';
import type { CheckedExpr } from './check/checked-expr.ts';
import { Checker } from './check/checker.ts';
import { CelSyntaxError } from './parse/cel-syntax-error.ts';
import { parse } from './parse/parse.ts';
import type { Problem } from './problem.ts';
import type { CelType } from './types/cel-type.ts';
import { formatType } from './types/format-type.ts';

/** An expression that the API server accepts, or all of its problems. */
export type Compiled = { readonly checked: CheckedExpr } | { readonly problems: readonly Problem[] };

/**
 * Parses and type-checks an expression as the API server 1.36 does for a rule of a custom resource definition.
 *
 * @param text the expression
 * @param variables the types of its variables
 * @param result the required type of its value
 */
export function compile(text: string, variables: ReadonlyMap<string, CelType>, result: CelType): Compiled {
  let expr;
  try {
    expr = parse(text);
  } catch (error) {
    if (!(error instanceof CelSyntaxError)) throw error;
    const { message, hint, start, end } = error;
    return { problems: [{ code: 'syntax', message, hint, start, end }] };
  }
  const checker = new Checker(variables);
  const checked = checker.check(expr);
  if (checker.problems.length > 0) return { problems: checker.problems };
  const problems = checkLiterals(checked);
  if (problems.length > 0) return { problems };
  const type = checked.types.get(expr.id)!;
  if (type.kind === result.kind) return { checked };
  const message = `the expression is ${formatType(type)}, not ${formatType(result)}`;
  const hint =
    result.kind === 'bool'
      ? 'write a condition that is true for valid values'
      : 'write a string, such as "must be at most " + string(self.max)';
  return { problems: [{ code: 'result-type', message, hint, start: expr.start, end: expr.end }] };
}
