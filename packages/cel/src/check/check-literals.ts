import type { Expr } from '../ast.ts';
import type { Problem } from '../problem.ts';
import { checkAggregate } from './check-aggregate.ts';
import { checkConstants } from './check-constants.ts';
import { checkFormat } from './check-format.ts';
import type { CheckedExpr } from './checked-expr.ts';
import { children } from './children.ts';

/**
 * The API server's checks of an expression whose types match: constants, texts for `format`, and lists and maps
 * with values of one type.
 */
export function checkLiterals(checked: CheckedExpr): Problem[] {
  const problems: Problem[] = [];
  // Values for format() may have different types, and so may everything inside of them.
  const visit = (expr: Expr, inFormat: boolean): void => {
    if (expr.kind === 'call') problems.push(...checkConstants(expr), ...checkFormat(expr, checked));
    if (!inFormat && (expr.kind === 'list' || expr.kind === 'map'))
      problems.push(...checkAggregate(expr, checked));
    const format = inFormat || (expr.kind === 'call' && expr.function === 'format');
    for (const child of children(expr)) visit(child, format);
  };
  visit(checked.expr, false);
  return problems;
}
