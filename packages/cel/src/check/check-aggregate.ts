import type { Expr, ListExpr, MapExpr } from '../ast.ts';
import type { Problem } from '../problem.ts';
import { type CelType, dynType } from '../types/cel-type.ts';
import { formatType } from '../types/format-type.ts';
import { sameType } from '../types/same-type.ts';
import { typeMismatch } from './check-context.ts';
import type { CheckedExpr } from './checked-expr.ts';

interface Item {
  readonly expr: Expr;
  readonly optional: boolean;
}

/** The items of a list, and the keys and the values of a map, have one type; `dyn` counts as a type here. */
export function checkAggregate(expr: ListExpr | MapExpr, checked: CheckedExpr): Problem[] {
  if (expr.kind === 'list') {
    return differing(
      expr.elements.map(({ value, optional }) => ({ expr: value, optional })),
      checked,
    ).slice(0, 1);
  }
  const keys = expr.entries.map(({ key }) => ({ expr: key, optional: false }));
  const values = expr.entries.map(({ value, optional }) => ({ expr: value, optional }));
  return [...differing(keys, checked), ...differing(values, checked)];
}

function differing(items: readonly Item[], checked: CheckedExpr): Problem[] {
  const typeOf = ({ expr, optional }: Item): CelType => {
    const type = checked.types.get(expr.id) ?? dynType;
    return optional ? (type.params[0] ?? dynType) : type;
  };
  const [first] = items;
  if (!first) return [];
  const wanted = typeOf(first);
  const others = items.filter((item) => !sameType(wanted, typeOf(item)));
  return others.map((item) => ({
    code: 'mixed-types',
    message: `expected ${formatType(wanted)} like the first one, found ${formatType(typeOf(item))}`,
    hint: 'the items of a list, and the keys and values of a map, must have one type: convert this one, or wrap all of them in dyn(x)',
    start: item.expr.start,
    end: item.expr.end,
    compiler: { text: typeMismatch(wanted, typeOf(item)), at: item.expr.at },
  }));
}
