import type { Expr } from '../ast.ts';

/** The subexpressions of a node, in the order of evaluation. */
export function children(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case 'literal':
    case 'ident':
      return [];
    case 'select':
      return [expr.operand];
    case 'call':
      return expr.target ? [expr.target, ...expr.args] : expr.args;
    case 'list':
      return expr.elements.map((element) => element.value);
    case 'map':
      return expr.entries.flatMap((entry) => [entry.key, entry.value]);
    case 'struct':
      return expr.fields.map((field) => field.value);
    default:
      return [expr.range, expr.initial, expr.condition, expr.step, expr.result];
  }
}
