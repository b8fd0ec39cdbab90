import { checkLiterals } from './check/check-literals.ts';
import type { CheckedExpr } from './check/checked-expr.ts';
import { Checker } from './check/checker.ts';
import { CelSyntaxError } from './parse/cel-syntax-error.ts';
import { parse } from './parse/parse.ts';
import { constantCode, type Problem } from './problem.ts';
import { type CelType, dynType } from './types/cel-type.ts';
import { formatType } from './types/format-type.ts';

/** What an expression may use. */
export interface Environment {
  /** The types of the variables. */
  readonly variables: ReadonlyMap<string, CelType>;
  /** Whether the expression can create objects and patches, as in a mutation. Default false. */
  readonly createsObjects?: boolean;
}

/** An expression that the API server accepts, or all of its problems. */
export type Compiled =
  | { readonly checked: CheckedExpr; readonly type: CelType }
  | { readonly problems: readonly Problem[] };

/**
 * Parses and type-checks an expression as the API server 1.36 does.
 *
 * @param runs whether the expression will run: then its constants are converted
 */
export function check(
  text: string,
  { variables, createsObjects = false }: Environment,
  runs = true,
): Compiled {
  let expr;
  try {
    expr = parse(text);
  } catch (error) {
    if (!(error instanceof CelSyntaxError)) throw error;
    const { message, hint, start, end, compiler } = error;
    return { problems: [{ code: 'syntax', message, hint, start, end, ...(compiler && { compiler }) }] };
  }
  const checker = new Checker(variables, createsObjects);
  const checked = checker.check(expr);
  if (checker.problems.length > 0) return { problems: checker.problems };
  const problems = checkLiterals(checked).filter(({ code }) => runs || code !== constantCode);
  if (problems.length > 0) return { problems };
  return { checked, type: checked.types.get(expr.id) ?? dynType };
}

/**
 * Compiles an expression like {@link check}, for a rule of a custom resource definition or a condition.
 *
 * @param result the required type of its value
 */
export function compile(text: string, environment: Environment, result: CelType): Compiled {
  const compiled = check(text, environment);
  if ('problems' in compiled || compiled.type.kind === result.kind) return compiled;
  const { start, end } = compiled.checked.expr;
  const message = `the expression is ${formatType(compiled.type)}, not ${formatType(result)}`;
  const hint =
    result.kind === 'bool'
      ? 'write a condition that is true for valid values'
      : 'write a string, such as "must be at most " + string(self.max)';
  return { problems: [{ code: 'result-type', message, hint, start, end }] };
}
