import type { Expr } from '../ast.ts';

/** Whether an expression reads a variable, as opposed to a comprehension's variable of the same name. */
export function usesVariable(expr: Expr, name: string): boolean {
  const uses = (part: Expr) => usesVariable(part, name);
  switch (expr.kind) {
    case 'literal':
      return false;
    case 'ident':
      return expr.name === name;
    case 'select':
      return uses(expr.operand);
    case 'call':
      return (expr.target !== undefined && uses(expr.target)) || expr.args.some(uses);
    case 'list':
      return expr.elements.some(({ value }) => uses(value));
    case 'map':
      return expr.entries.some(({ key, value }) => uses(key) || uses(value));
    case 'struct':
      return expr.fields.some(({ value }) => uses(value));
    default: {
      const hidden = [expr.variable, expr.variable2, expr.accumulator].includes(name);
      return (
        [expr.range, expr.initial].some(uses) ||
        (!hidden && [expr.condition, expr.step, expr.result].some(uses))
      );
    }
  }
}
