import type { Overload } from '../declare/overload.ts';
import type { Bindings } from '../types/bindings.ts';
import { type CelType, dynType } from '../types/cel-type.ts';
import { areAssignable } from '../types/is-assignable.ts';
import { sameType } from '../types/same-type.ts';

export interface Resolution {
  /** All matching overloads. */
  readonly ids: readonly string[];
  readonly result: CelType;
}

/**
 * Finds the possible overloads of a call.
 *
 * @param bindings receives the bindings of the arguments' type variables
 * @param overloads the overloads of the function
 * @param method whether it is called as a method; the receiver is the first argument
 * @param args the types of the arguments
 * @returns the result is `dyn` when matching overloads differ in it; undefined when none matches
 */
export function resolveOverload(
  bindings: Bindings,
  overloads: readonly Overload[],
  method: boolean,
  args: readonly CelType[],
): Resolution | undefined {
  const ids: string[] = [];
  let result: CelType | undefined;
  for (const overload of overloads) {
    if (overload.method !== method || overload.args.length !== args.length) continue;
    const instance = overload.generic ? instantiate(bindings, overload) : overload;
    if (!areAssignable(bindings, args, instance.args)) continue;
    ids.push(overload.id);
    const own = bindings.resolve(instance.result, false);
    result =
      result === undefined || sameType(result, own) || result.kind === 'dyn' ? (result ?? own) : dynType;
  }
  return result && { ids, result };
}

/** The overload with fresh type variables. */
function instantiate(bindings: Bindings, overload: Overload): Pick<Overload, 'args' | 'result'> {
  const variables = new Map<string, CelType>();
  const fresh = (type: CelType): CelType => {
    if (type.kind !== 'param')
      return type.params.length === 0 ? type : { ...type, params: type.params.map(fresh) };
    const variable = variables.get(type.name) ?? bindings.fresh();
    variables.set(type.name, variable);
    return variable;
  };
  return { args: overload.args.map(fresh), result: fresh(overload.result) };
}
