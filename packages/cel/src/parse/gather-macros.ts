import type { Expr } from '../ast.ts';
import { CelSyntaxError } from './cel-syntax-error.ts';
import type { ExprFactory } from './expr-factory.ts';
import { accumulatorName } from './expr-factory.ts';
import { type MacroCall, macroVariable } from './macro.ts';
import type { Variables } from './quantifier-macros.ts';

/** Collects the value of `transform` for every item, or for those that pass `filter`, in a list. */
export function expandToList(
  call: MacroCall,
  variables: Variables,
  filter: Expr | undefined,
  transform: Expr,
  make: ExprFactory,
): Expr {
  const { range } = call;
  const item = make.list(range, [{ value: transform, optional: false }]);
  const step = make.call(range, '_+_', [make.accumulator(range), item]);
  return gather(call, variables, make.list(range, []), filtered(call, filter, step, make), make);
}

/** Collects entries in a map: `entry` has the arguments of `cel.@mapInsert` after the map. */
export function expandToMap(
  call: MacroCall,
  variables: Variables,
  filter: Expr | undefined,
  entry: readonly Expr[],
  make: ExprFactory,
): Expr {
  const { range } = call;
  const step = make.call(range, 'cel.@mapInsert', [make.accumulator(range), ...entry]);
  return gather(call, variables, make.map(range, []), filtered(call, filter, step, make), make);
}

function filtered(call: MacroCall, filter: Expr | undefined, step: Expr, make: ExprFactory): Expr {
  return filter ? make.call(call.range, '_?_:_', [filter, step, make.accumulator(call.range)]) : step;
}

function gather(call: MacroCall, variables: Variables, initial: Expr, step: Expr, make: ExprFactory): Expr {
  return make.comprehension(call.range, {
    range: call.target!,
    ...variables,
    accumulator: accumulatorName,
    initial,
    condition: make.literal(call.range, { type: 'bool', value: true }),
    step,
    result: make.accumulator(call.range),
  });
}

/** A variable for one value: a loop that never runs. `result` is the expression that uses it. */
export function expandBind(
  call: MacroCall,
  variable: string,
  value: Expr,
  iterator: string,
  result: Expr,
  make: ExprFactory,
): Expr {
  const { range } = call;
  return make.comprehension(range, {
    range: make.list(range, []),
    variable: iterator,
    accumulator: variable,
    initial: value,
    condition: make.literal(range, { type: 'bool', value: false }),
    step: make.ident(range, variable),
    result,
  });
}

/** `sortBy(x, key)`: sorts the list by a list of the keys. */
export function expandSortBy(call: MacroCall, make: ExprFactory): Expr {
  const { range } = call;
  const { kind } = call.target!;
  if (kind === 'literal' || kind === 'map' || kind === 'struct') {
    throw new CelSyntaxError(
      'sortBy() on a value that is not a list',
      'call it on a list, a field or the result of a call',
      call.target!,
    );
  }
  const input = '@__sortBy_input__';
  const variable = macroVariable(call.args[0]!, call).name;
  const keys = expandToList(
    { ...call, target: make.ident(range, input) },
    { variable },
    undefined,
    call.args[1]!,
    make,
  );
  const sorted = make.method(range, '@sortByAssociatedKeys', make.ident(range, input), [keys]);
  return expandBind(call, input, call.target!, '#unused', sorted, make);
}
