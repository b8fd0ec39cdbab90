import type { CallExpr } from '../ast.ts';
import { functionNames } from '../declare/find-function.ts';
import type { Overload } from '../declare/overload.ts';
import { boolType, type CelType, errorType } from '../types/cel-type.ts';
import { isAssignable } from '../types/is-assignable.ts';
import { type CheckContext, didYouMean, typeMismatch, undeclaredReference } from './check-context.ts';
import { compilerType } from '../types/compiler-type.ts';
import { formatType } from '../types/format-type.ts';
import { describeMismatch } from './describe-mismatch.ts';
import { resolveOverload } from './resolve-overload.ts';

/**
 * Finds the overloads of a call.
 *
 * @param name the function or operator
 * @param method whether it is called as a method
 * @param args the types of the arguments; for a method the receiver comes first
 * @returns the type of the result
 */
export function checkFunction(
  expr: CallExpr,
  name: string,
  method: boolean,
  args: readonly CelType[],
  context: CheckContext,
): CelType {
  const overloads = context.findFunction(name);
  if (!overloads) return undeclared(expr, name, method, args, context);
  if (name === '_&&_' || name === '_||_') return checkLogical(expr, overloads[0]!, args, context);
  const resolution = resolveOverload(context.bindings, overloads, method, args);
  if (resolution) {
    context.overloads.set(expr.id, resolution.ids);
    return resolution.result;
  }
  const types = args.map((arg) => context.bindings.resolve(arg, true));
  return context.report(
    expr,
    describeMismatch(name, method, types, overloads),
    noOverload(name, method, types),
  );
}

function undeclared(
  expr: CallExpr,
  name: string,
  method: boolean,
  args: readonly CelType[],
  context: CheckContext,
): CelType {
  // The receiver already has a problem, such as "math" in math.greatest(1, 2), and one is enough.
  if (method && args[0]!.kind === 'error') return errorType;
  const range = { start: expr.nameStart, end: expr.nameStart + expr.function.length, at: expr.at };
  const otherwise = 'rules can call the functions of the CEL language and of the Kubernetes libraries';
  return context.problem(
    range,
    'undeclared',
    `undeclared function '${name}'`,
    didYouMean(name, functionNames(), otherwise),
    undeclaredReference(name),
  );
}

function checkLogical(
  expr: CallExpr,
  overload: Overload,
  args: readonly CelType[],
  context: CheckContext,
): CelType {
  const wrong = expr.args.filter((_, index) => !isAssignable(context.bindings, args[index]!, boolType));
  for (const arg of wrong) {
    const type = context.bindings.resolve(context.types.get(arg.id)!, true);
    const hint = 'write a condition, such as self.x != "" or self.x > 0';
    const text = typeMismatch(boolType, type);
    context.problem(arg, 'type-mismatch', `expected bool, found ${formatType(type)}`, hint, text);
  }
  if (wrong.length > 0) return errorType;
  context.overloads.set(expr.id, [overload.id]);
  return boolType;
}

/** The message of the API server's compiler. */
function noOverload(name: string, method: boolean, args: readonly CelType[]): string {
  const types = args.map(compilerType);
  const receiver = method ? `${types.shift()}.` : '';
  return `found no matching overload for '${name}' applied to '${receiver}(${types.join(', ')})'`;
}
