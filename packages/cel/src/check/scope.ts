import type { CelType } from '../types/cel-type.ts';

/** The variables that a part of an expression sees; the nearest of a name counts. */
export class Scope {
  readonly #variables: ReadonlyMap<string, CelType>;
  readonly #outer: Scope | undefined;

  constructor(variables: ReadonlyMap<string, CelType>, outer?: Scope) {
    this.#variables = variables;
    this.#outer = outer;
  }

  find(name: string): CelType | undefined {
    return this.#variables.get(name) ?? this.#outer?.find(name);
  }

  /** The names that can be written. */
  *names(): Generator<string> {
    for (const name of this.#variables.keys()) if (!name.startsWith('@')) yield name;
    if (this.#outer) yield* this.#outer.names();
  }
}
