import type { CelType } from '../types/cel-type.ts';

/** The variables in scope. Inner ones shadow outer ones of the same name. */
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

  /** The names that an author can write. */
  *names(): Generator<string> {
    for (const name of this.#variables.keys()) if (!name.startsWith('@')) yield name;
    if (this.#outer) yield* this.#outer.names();
  }
}
