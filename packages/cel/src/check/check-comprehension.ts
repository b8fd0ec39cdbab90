import type { ComprehensionExpr, Expr } from '../ast.ts';
import { boolType, type CelType, dynType, intType } from '../types/cel-type.ts';
import { isAssignable } from '../types/is-assignable.ts';
import { compilerType } from '../types/compiler-type.ts';
import { typeMismatch, type CheckContext } from './check-context.ts';
import { Scope } from './scope.ts';

/**
 * Checks the expansion of a macro.
 *
 * @param check checks a part of it and returns its type
 * @returns the type of the result
 */
export function checkComprehension(
  expr: ComprehensionExpr,
  context: CheckContext,
  check: (part: Expr) => CelType,
): CelType {
  const range = context.bindings.resolve(check(expr.range), false);
  const accumulator = check(expr.initial);
  const outer = context.scope;
  const withResult = new Scope(new Map([[expr.accumulator, accumulator]]), outer);
  context.scope = new Scope(itemVariables(expr, range, context), withResult);
  expectType(expr.condition, boolType, check(expr.condition), context);
  expectType(expr.step, accumulator, check(expr.step), context);
  context.scope = withResult;
  const result = check(expr.result);
  context.scope = outer;
  return context.bindings.resolve(result, false);
}

/** The index and item of a list, or the key and value of a map. A single variable is the item or the key. */
function itemVariables(
  expr: ComprehensionExpr,
  range: CelType,
  context: CheckContext,
): ReadonlyMap<string, CelType> {
  const [key, value] = entryTypes(expr, range, context);
  if (expr.variable2 === undefined) return new Map([[expr.variable, range.kind === 'list' ? value : key]]);
  return new Map([
    [expr.variable, key],
    [expr.variable2, value],
  ]);
}

function entryTypes(
  expr: ComprehensionExpr,
  range: CelType,
  context: CheckContext,
): readonly [CelType, CelType] {
  switch (range.kind) {
    case 'list':
      return [intType, range.params[0]!];
    case 'map':
      return [range.params[0]!, range.params[1]!];
    case 'dyn':
    case 'error':
    case 'param':
      isAssignable(context.bindings, dynType, range);
      return [dynType, dynType];
    default: {
      const message = `${context.format(range)} is neither a list nor a map`;
      const hint = 'macros iterate over lists and maps';
      const text = `expression of type '${compilerType(range)}' cannot be range of a comprehension (must be list, map, or dynamic)`;
      const type = context.problem(expr.range, 'not-iterable', message, hint, text);
      return [type, type];
    }
  }
}

function expectType(expr: Expr, wanted: CelType, type: CelType, context: CheckContext): void {
  if (isAssignable(context.bindings, wanted, type)) return;
  const message = `expected ${context.format(wanted)}, found ${context.format(type)}`;
  const hint = 'all values that a macro collects must have one type';
  const text = typeMismatch(context.bindings.resolve(wanted, true), context.bindings.resolve(type, true));
  context.problem(expr, 'type-mismatch', message, hint, text);
}
