import type { CelResult, CelValue } from '../values/cel-value.ts';
import { dynamicValue } from '../values/dynamic-value.ts';
import { CelEvaluationError, isError, noSuchOverload } from '../values/evaluation-error.ts';
import { Optional } from '../values/optional.ts';
import { qualify } from './qualify.ts';
import type { Scope, Step } from './scope.ts';

/** A selected field or index. */
export interface Qualifier {
  /** Computes the name or the index. Reading a variable for it is free. */
  readonly key: Step;
  /** Whether a missing one yields `optional.none()`, as in `a.?b`. */
  readonly optional: boolean;
  /** Whether it tests for presence, as in `has(a.b)`. */
  readonly test: boolean;
}

/** A value with a chain of selected fields. As in the API server, a whole chain like `a.b.c` is one step. */
export interface Attribute {
  /** The cost of reading it besides its fields. */
  readonly cost: 0 | 1;
  /** The same attribute with one more field. */
  with(qualifier: Qualifier): Attribute;
  resolve(scope: Scope): CelResult;
}

/** Fields of a variable, or of a computed value. */
export class PathAttribute implements Attribute {
  readonly cost: 0 | 1;
  readonly #operand: Step;
  readonly #qualifiers: readonly Qualifier[];

  /** @param operand computes the variable or the value */
  constructor(operand: Step, qualifiers: readonly Qualifier[] = []) {
    this.#operand = operand;
    this.#qualifiers = qualifiers;
    this.cost = qualifiers.at(-1)?.test ? 0 : 1;
  }

  with(qualifier: Qualifier): Attribute {
    return new PathAttribute(this.#operand, [...this.#qualifiers, qualifier]);
  }

  resolve(scope: Scope): CelResult {
    let value = this.#operand(scope);
    if (isError(value)) return value;
    let optional = value instanceof Optional;
    if (value instanceof Optional) {
      if (isError(value.value)) return this.#isTest ? false : value;
      value = dynamicValue(value.value);
    }
    for (const qualifier of this.#qualifiers) {
      optional ||= qualifier.optional;
      const next = applyQualifier(qualifier, value, optional, scope);
      if (next === undefined) return this.#isTest ? false : Optional.none;
      if (isError(next)) return next;
      value = next;
    }
    return optional && !this.#isTest ? Optional.of(value) : value;
  }

  get #isTest(): boolean {
    return this.#qualifiers.at(-1)?.test ?? false;
  }
}

/** Undefined for an optional field that is missing. */
function applyQualifier(
  { key, test }: Qualifier,
  value: CelValue,
  optional: boolean,
  scope: Scope,
): CelResult | undefined {
  const name = key(scope);
  const result = isError(name) ? name : qualify(value, name, optional || test);
  if (!optional || (result !== undefined && !isError(result))) scope.meter.add(1);
  return test && !isError(result) ? result !== undefined : result;
}

/** One of two attributes: `condition ? a : b`. Fields are selected from the chosen one. */
export class ConditionalAttribute implements Attribute {
  readonly cost = 0;
  readonly #condition: Step;
  readonly #truthy: Attribute;
  readonly #falsy: Attribute;

  constructor(condition: Step, truthy: Attribute, falsy: Attribute) {
    this.#condition = condition;
    this.#truthy = truthy;
    this.#falsy = falsy;
  }

  with(qualifier: Qualifier): Attribute {
    return new ConditionalAttribute(
      this.#condition,
      this.#truthy.with(qualifier),
      this.#falsy.with(qualifier),
    );
  }

  resolve(scope: Scope): CelResult {
    const chosen = this.#condition(scope);
    if (typeof chosen === 'boolean') return (chosen ? this.#truthy : this.#falsy).resolve(scope);
    return isError(chosen) ? chosen : noSuchOverload();
  }
}

/** The error about an undefined name. */
export function unknownName(name: string): CelEvaluationError {
  return new CelEvaluationError(`no such attribute(s): ${name}`);
}
