import type { Expr, IdentExpr, Range } from '../ast.ts';
import { CelSyntaxError } from './cel-syntax-error.ts';
import { accumulatorName, type ExprFactory } from './expr-factory.ts';

/** A macro call. `range` is that of the whole call, which its expansion also gets. */
export interface MacroCall {
  readonly name: string;
  readonly range: Range;
  /** Undefined for a call without receiver, which only `has` is. */
  readonly target: Expr | undefined;
  readonly args: readonly Expr[];
}

/** Expands a call with the right name, receiver and number of arguments. */
export type Macro = (call: MacroCall, make: ExprFactory) => Expr;

/**
 * @param expr the argument that names the variable of a comprehension
 * @param call the macro call
 * @returns the variable
 * @throws CelSyntaxError when it is not a simple name, or is that of the accumulator
 */
export function macroVariable(expr: Expr, call: MacroCall): IdentExpr {
  if (expr.kind !== 'ident') {
    const hint = `write a variable for the item: .${call.name}(x, …)`;
    throw new CelSyntaxError(`an argument of ${call.name}() that is not a plain name`, hint, expr);
  }
  if (expr.name === accumulatorName || expr.name === '__result__') {
    throw new CelSyntaxError(
      `${expr.name} cannot be a variable of ${call.name}()`,
      'choose another name',
      expr,
    );
  }
  return expr;
}
