import type { Expr, IdentExpr, Place } from '../ast.ts';
import { CelSyntaxError } from './cel-syntax-error.ts';
import { accumulatorName, type ExprFactory } from './expr-factory.ts';

/** A macro call. `range` is that of the whole call, which its expansion also gets. */
export interface MacroCall {
  readonly name: string;
  readonly range: Place;
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
    const message = `an argument of ${call.name}() that is not a plain name`;
    const isGathering = call.name === 'map' || call.name === 'filter';
    const text = isGathering ? 'argument is not an identifier' : 'argument must be a simple name';
    throw new CelSyntaxError(message, hint, expr, text);
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
