import type { Expr, LiteralValue } from '../ast.ts';
import type { ExprFactory } from './expr-factory.ts';
import { accumulatorName } from './expr-factory.ts';
import type { MacroCall } from './macro.ts';

/** The variables of a comprehension. */
export interface Variables {
  readonly variable: string;
  readonly variable2?: string;
}

/** `all`: true until an item fails; an error counts only when no item fails. */
export function expandAll(call: MacroCall, variables: Variables, predicate: Expr, make: ExprFactory): Expr {
  const { range } = call;
  return make.comprehension(range, {
    range: call.target!,
    ...variables,
    accumulator: accumulatorName,
    initial: make.literal(range, bool(true)),
    condition: make.call(range, '@not_strictly_false', [make.accumulator(range)]),
    step: make.call(range, '_&&_', [make.accumulator(range), predicate]),
    result: make.accumulator(range),
  });
}

/** `exists`: false until an item passes; an error counts only when no item passes. */
export function expandExists(
  call: MacroCall,
  variables: Variables,
  predicate: Expr,
  make: ExprFactory,
): Expr {
  const { range } = call;
  return make.comprehension(range, {
    range: call.target!,
    ...variables,
    accumulator: accumulatorName,
    initial: make.literal(range, bool(false)),
    condition: make.call(range, '@not_strictly_false', [make.call(range, '!_', [make.accumulator(range)])]),
    step: make.call(range, '_||_', [make.accumulator(range), predicate]),
    result: make.accumulator(range),
  });
}

/** `exists_one`: counts all items that pass. */
export function expandExistsOne(
  call: MacroCall,
  variables: Variables,
  predicate: Expr,
  make: ExprFactory,
): Expr {
  const { range } = call;
  const more = make.call(range, '_+_', [make.accumulator(range), make.literal(range, int(1n))]);
  return make.comprehension(range, {
    range: call.target!,
    ...variables,
    accumulator: accumulatorName,
    initial: make.literal(range, int(0n)),
    condition: make.literal(range, bool(true)),
    step: make.call(range, '_?_:_', [predicate, more, make.accumulator(range)]),
    result: make.call(range, '_==_', [make.accumulator(range), make.literal(range, int(1n))]),
  });
}

function bool(value: boolean): LiteralValue {
  return { type: 'bool', value };
}

function int(value: bigint): LiteralValue {
  return { type: 'int', value };
}
