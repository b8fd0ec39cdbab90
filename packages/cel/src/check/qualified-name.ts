import type { Expr } from '../ast.ts';

/** The dotted name that an expression may spell: `net.IP` is a type, and `optional` the start of the function `optional.of`. */
export function qualifiedName(expr: Expr): string | undefined {
  if (expr.kind === 'ident') return expr.name;
  if (expr.kind !== 'select' || expr.testOnly) return undefined;
  const prefix = qualifiedName(expr.operand);
  return prefix === undefined ? undefined : `${prefix}.${expr.field}`;
}
