import type { CelResult } from '../values/cel-value.ts';
import type { Meter } from './meter.ts';

/** What names stand for while an expression is evaluated. */
export interface Scope {
  readonly meter: Meter;
  /** Undefined for a name that stands for nothing. */
  resolve(name: string): CelResult | undefined;
}

/** A part of an expression, ready to run. */
export type Step = (scope: Scope) => CelResult;

/** The scope of a whole expression. */
export class RootScope implements Scope {
  readonly meter: Meter;
  readonly #variables: Readonly<Record<string, CelResult>>;

  constructor(variables: Readonly<Record<string, CelResult>>, meter: Meter) {
    this.#variables = variables;
    this.meter = meter;
  }

  resolve(name: string): CelResult | undefined {
    return Object.hasOwn(this.#variables, name) ? this.#variables[name] : undefined;
  }
}
