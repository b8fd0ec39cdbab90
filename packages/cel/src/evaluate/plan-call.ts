import { equalityCost } from '../functions/costs.ts';
import { functions } from '../functions/functions.ts';
import { findOverload } from '../functions/overload.ts';
import type { Overload } from '../functions/overload.ts';
import type { CelResult, CelValue } from '../values/cel-value.ts';
import { equals } from '../values/equals.ts';
import { CelEvaluationError, isError, noSuchOverload } from '../values/evaluation-error.ts';
import { CelList } from '../values/list.ts';
import { Optional } from '../values/optional.ts';
import { constantPlan } from './plan.ts';
import type { Plan } from './plan.ts';
import type { Scope, Step } from './scope.ts';

/** Folded when their argument is constant. */
const foldedCalls: ReadonlySet<string> = new Set(
  'bool bytes double duration dyn int string timestamp type uint'.split(' '),
);

/**
 * Plans a call of a function.
 *
 * @returns takes the plans of the arguments; undefined when the function does not exist
 */
export function planCall(name: string, count: number): ((args: readonly Plan[]) => Plan) | undefined {
  const overloads = functions.get(name);
  if (!overloads?.some(({ parameters }) => parameters.length === count)) return undefined;
  return (args) => {
    const [only] = args;
    const folded =
      count === 1 && only!.constant !== undefined && foldedCalls.has(name)
        ? call(name, overloads, [only!.constant])
        : undefined;
    if (folded && !isError(folded.result)) return constantPlan(folded.result);
    return {
      run: callStep(
        name,
        overloads,
        args.map(({ run }) => run),
      ),
    };
  };
}

function callStep(name: string, overloads: readonly Overload[], args: readonly Step[]): Step {
  return (scope) => {
    const values = evaluateAll(args, scope);
    if (isError(values)) return values;
    const { result, cost } = call(name, overloads, values);
    scope.meter.add(cost);
    return result;
  };
}

function call(
  name: string,
  overloads: readonly Overload[],
  values: readonly CelValue[],
): { result: CelResult; cost: number } {
  const overload = findOverload(overloads, values);
  if (!overload) return { result: new CelEvaluationError(`no such overload: ${name}`), cost: 1 };
  const result = overload.run(...(values as never[]));
  return { result, cost: overload.cost ? overload.cost(values, result) : 1 };
}

/** The values of all arguments, or the first error. With more than two arguments, evaluation stops at an error. */
function evaluateAll(args: readonly Step[], scope: Scope): CelValue[] | CelEvaluationError {
  const values: CelValue[] = [];
  let error: CelEvaluationError | undefined;
  for (const arg of args) {
    const value = arg(scope);
    if (!isError(value)) values.push(value);
    else if (args.length > 2) return value;
    else error ??= value;
  }
  if (error) scope.meter.add(1);
  return error ?? values;
}

/** Operators and methods with special handling of errors and missing values; undefined for others. */
export function planOperator(name: string, args: readonly Plan[]): Plan | undefined {
  const steps = args.map(({ run }) => run);
  const [first, second] = steps;
  switch (name) {
    case '_&&_':
      return { run: logical(steps, false) };
    case '_||_':
      return { run: logical(steps, true) };
    case '_==_':
      return { run: equality(first!, second!, (equal) => equal) };
    case '_!=_':
      return { run: equality(first!, second!, (equal) => equal !== true) };
    case '@not_strictly_false':
      return { run: (scope) => notStrictlyFalse(first!(scope), scope) };
    case 'or':
      return steps.length === 2
        ? { run: (scope) => orElse(first!(scope), second!, scope, (optional) => optional) }
        : undefined;
    case 'orValue':
      return steps.length === 2
        ? { run: (scope) => orElse(first!(scope), second!, scope, ({ value }) => value) }
        : undefined;
    default:
      return undefined;
  }
}

/** `&&` and `||`: an operand that decides hides errors of the others. */
function logical(steps: readonly Step[], deciding: boolean): Step {
  return (scope) => {
    let error: CelEvaluationError | undefined;
    for (const step of steps) {
      const value = step(scope);
      if (value === deciding) return deciding;
      if (typeof value !== 'boolean') error ??= isError(value) ? value : noSuchOverload();
    }
    return error ?? !deciding;
  };
}

function equality(
  first: Step,
  second: Step,
  conclude: (equal: boolean | CelEvaluationError) => CelResult,
): Step {
  return (scope) => {
    const [a, b] = [first(scope), second(scope)];
    scope.meter.add(equalityCost(a, b));
    if (isError(a)) return a;
    return isError(b) ? b : conclude(equals(a, b));
  };
}

function notStrictlyFalse(value: CelResult, scope: Scope): CelResult {
  scope.meter.add(1);
  return typeof value === 'boolean' ? value : true;
}

function orElse(
  value: CelResult,
  other: Step,
  scope: Scope,
  take: (optional: Optional) => CelResult,
): CelResult {
  if (!(value instanceof Optional)) return value;
  return value.hasValue ? take(value) : other(scope);
}

/** `value in list`; a constant list is free. */
export function planIn(value: Plan, container: Plan): Plan {
  const { constant } = container;
  if (constant instanceof CelList && constant.size === 0) return constantPlan(false);
  if (constant instanceof CelList && [...constant].every(isHashable)) {
    return {
      run: (scope) => {
        const item = value.run(scope);
        return isError(item) ? item : constant.contains(item);
      },
    };
  }
  return planCall('@in', 2)!([value, container]);
}

function isHashable(item: CelResult): boolean {
  return typeof item !== 'object' || (item !== null && 'typeName' in item && item.typeName === 'uint');
}
