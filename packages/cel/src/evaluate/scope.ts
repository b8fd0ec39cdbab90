import type { CelResult } from '../values/cel-value.ts';
import type { Meter } from './meter.ts';

/** The values of names during an evaluation. */
export interface Scope {
  readonly meter: Meter;
  /** Undefined for an undefined name. */
  resolve(name: string): CelResult | undefined;
}

/** A compiled part of an expression. */
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
