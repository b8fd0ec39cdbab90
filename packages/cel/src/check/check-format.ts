import type { CallExpr, Expr, ListExpr, Range } from '../ast.ts';
import type { Problem } from '../problem.ts';
import type { TypeKind } from '../types/cel-type.ts';
import { formatType } from '../types/format-type.ts';
import type { CheckedExpr } from './checked-expr.ts';

/** The types that each clause supports; `dyn` matches all. */
const clauseKinds: Readonly<Record<string, readonly TypeKind[]>> = {
  s: [
    'list',
    'map',
    'int',
    'uint',
    'double',
    'bool',
    'string',
    'timestamp',
    'bytes',
    'duration',
    'type',
    'null',
  ],
  d: ['int', 'uint'],
  f: ['double', 'string'],
  e: ['double', 'string'],
  b: ['int', 'uint', 'bool'],
  x: ['int', 'uint', 'string', 'bytes'],
  X: ['int', 'uint', 'string', 'bytes'],
  o: ['int', 'uint'],
};

const maxPrecision = 2n ** 63n - 1n;

/**
 * Checks `"…".format([…])` if text and values are literals: every clause needs a value of a supported type, and
 * every value a clause.
 */
export function checkFormat(call: CallExpr, checked: CheckedExpr): Problem[] {
  const [args] = call.args;
  const { target } = call;
  if (call.function !== 'format' || args?.kind !== 'list') return [];
  if (target?.kind !== 'literal' || target.value.type !== 'string') return [];
  const clauses = [...target.value.value.matchAll(/%(?:%|(\.[0-9]*)?([^]|$))/gu)].filter(
    ([clause]) => clause !== '%%',
  );
  for (const [index, [clause, precision, letter]] of clauses.entries()) {
    const problem = checkClause(clause, precision, letter!, index, target, args, checked);
    if (problem) return [problem];
  }
  if (args.elements.length <= clauses.length) return [];
  const message = `${args.elements.length} values for ${clauses.length} clauses`;
  return [problemAt(args, message, 'write a clause like %s for every value, or remove values')];
}

function checkClause(
  clause: string,
  precision: string | undefined,
  letter: string,
  index: number,
  text: Range,
  args: ListExpr,
  checked: CheckedExpr,
): Problem | undefined {
  const arg = args.elements[index]?.value;
  if (!arg)
    return problemAt(
      args,
      `no value for ${clause}, the clause number ${index + 1}`,
      'add it to the list; for a percent sign write %%',
    );
  const kinds = Object.hasOwn(clauseKinds, letter) ? clauseKinds[letter] : undefined;
  const badPrecision =
    precision !== undefined && (precision === '.' || BigInt(precision.slice(1)) > maxPrecision);
  if (!kinds || badPrecision) {
    return problemAt(
      text,
      `${clause} is not a clause of format()`,
      'write %s, %d, %f, %e, %b, %x, %X or %o, with a precision as in %.2f; for a percent sign %%',
    );
  }
  const wrong = unfit(arg, kinds, letter === 's', checked);
  if (!wrong) return undefined;
  const type = formatType(checked.types.get(wrong.id)!);
  return problemAt(
    wrong,
    `${clause} does not format ${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`,
    `it formats ${kinds.join(', ')}`,
  );
}

/** The unsupported value: the argument, or for `%s` one within it. */
function unfit(
  expr: Expr,
  kinds: readonly TypeKind[],
  nested: boolean,
  checked: CheckedExpr,
): Expr | undefined {
  const { kind } = checked.types.get(expr.id)!;
  if (kind !== 'dyn' && !kinds.includes(kind)) return expr;
  if (!nested) return undefined;
  if (expr.kind === 'list')
    return firstUnfit(
      expr.elements.map(({ value }) => value),
      kinds,
      checked,
    );
  return expr.kind === 'map'
    ? firstUnfit(
        expr.entries.flatMap(({ key, value }) => [key, value]),
        kinds,
        checked,
      )
    : undefined;
}

function firstUnfit(
  exprs: readonly Expr[],
  kinds: readonly TypeKind[],
  checked: CheckedExpr,
): Expr | undefined {
  for (const expr of exprs) {
    const wrong = unfit(expr, kinds, true, checked);
    if (wrong) return wrong;
  }
  return undefined;
}

function problemAt(range: Range, message: string, hint: string): Problem {
  return { code: 'bad-format', message, hint, start: range.start, end: range.end };
}
