import type { Bindings } from './bindings.ts';
import type { CelType, TypeKind } from './cel-type.ts';
import { sameType } from './same-type.ts';

const nullableKinds: ReadonlySet<TypeKind> = new Set(['null', 'opaque', 'struct', 'timestamp', 'duration']);

/**
 * Whether a value of one type is allowed where another is expected. Binds type variables to make it so. This is
 * the relation of cel-go's type checker: `dyn` matches both ways, `null` matches objects, optionals, timestamps
 * and durations, and number types do not match each other.
 */
export function isAssignable(bindings: Bindings, a: CelType, b: CelType): boolean {
  return bindings.attempt(() => fits(bindings, a, b));
}

/** The same for lists of types; all must match together. */
export function areAssignable(bindings: Bindings, a: readonly CelType[], b: readonly CelType[]): boolean {
  return bindings.attempt(() => allFit(bindings, a, b));
}

function fits(bindings: Bindings, a: CelType, b: CelType): boolean {
  if (b.kind === 'param') {
    const match = substitute(bindings, a, b);
    if (match !== 'unbound') return match === 'fits';
  }
  if (a.kind === 'param') return substitute(bindings, b, a) === 'fits';
  if (isDynOrError(a) || isDynOrError(b)) return true;
  if (a.kind === 'null') return nullableKinds.has(b.kind);
  if (b.kind === 'null') return nullableKinds.has(a.kind);
  if (a.kind !== b.kind) return false;
  if (a.kind === 'type') return true;
  return a.name === b.name && allFit(bindings, a.params, b.params);
}

function allFit(bindings: Bindings, a: readonly CelType[], b: readonly CelType[]): boolean {
  return a.length === b.length && a.every((type, index) => fits(bindings, type, b[index]!));
}

/** Whether the variable can be the type; `unbound` when it is still free, and cannot be bound to this one. */
function substitute(bindings: Bindings, type: CelType, variable: CelType): 'fits' | 'fails' | 'unbound' {
  if (sameType(type, variable)) return 'fits';
  const bound = bindings.get(variable);
  if (!bound) {
    if (bindings.occurs(variable, type)) return 'unbound';
    bindings.bind(variable, type);
    return 'fits';
  }
  if (sameType(type, bound)) return 'fits';
  if (!fits(bindings, type, bound)) return 'fails';
  const general = mostGeneral(type, bound);
  if (!bindings.occurs(variable, general)) bindings.bind(variable, general);
  return 'fits';
}

/** The more general of two matching types. */
export function mostGeneral(a: CelType, b: CelType): CelType {
  return isLessSpecific(a, b) ? a : b;
}

function isLessSpecific(a: CelType, b: CelType): boolean {
  if (a.kind === 'dyn' || a.kind === 'param') return true;
  if (b.kind === 'dyn' || b.kind === 'param') return false;
  if (a.kind !== b.kind) return false;
  if (a.kind === 'type') return true;
  if (a.kind !== 'opaque' && a.kind !== 'list' && a.kind !== 'map') return sameType(a, b);
  if (a.name !== b.name || a.params.length !== b.params.length) return false;
  return a.params.every((param, index) => isLessSpecific(param, b.params[index]!));
}

function isDynOrError(type: CelType): boolean {
  return type.kind === 'dyn' || type.kind === 'error';
}
