import { type CelType, dynType } from './cel-type.ts';

/** The bindings of an expression's type variables. A failed attempt is undone. */
export class Bindings {
  readonly #types = new Map<string, CelType>();
  #undo: (readonly [string, CelType | undefined])[] | undefined;
  #lastVariable = 0;

  fresh(): CelType {
    return { kind: 'param', name: `_${++this.#lastVariable}`, params: [] };
  }

  get(variable: CelType): CelType | undefined {
    return this.#types.get(variable.name);
  }

  bind(variable: CelType, type: CelType): void {
    this.#undo?.push([variable.name, this.#types.get(variable.name)]);
    this.#types.set(variable.name, type);
  }

  /** Runs `match`, and undoes its bindings when it returns false. */
  attempt(match: () => boolean): boolean {
    const outer = this.#undo;
    const undo: (readonly [string, CelType | undefined])[] = [];
    this.#undo = undo;
    const matched = match();
    this.#undo = outer;
    if (matched) outer?.push(...undo);
    else for (const [name, type] of undo.toReversed()) this.#restore(name, type);
    return matched;
  }

  #restore(name: string, type: CelType | undefined): void {
    if (type) this.#types.set(name, type);
    else this.#types.delete(name);
  }

  /**
   * The type with its variables replaced by their bindings; unbound ones become `dyn` when `toDyn` is set.
   *
   * @param done the replaced parts: a part that occurs many times is visited once
   */
  resolve(type: CelType, toDyn: boolean, done: Map<CelType, CelType> = new Map()): CelType {
    if (type.kind === 'param') {
      const bound = this.get(type);
      if (bound) return this.resolve(bound, toDyn, done);
      return toDyn ? dynType : type;
    }
    if (type.params.length === 0) return type;
    const known = done.get(type);
    if (known) return known;
    const params = type.params.map((param) => this.resolve(param, toDyn, done));
    const resolved = params.every((param, index) => param === type.params[index])
      ? type
      : { ...type, params };
    done.set(type, resolved);
    return resolved;
  }

  /** Whether a variable occurs in a type, directly or through the binding of another variable. */
  occurs(variable: CelType, type: CelType, done: Set<CelType> = new Set()): boolean {
    if (variable.kind === type.kind && variable.name === type.name) return true;
    if (done.has(type)) return false;
    done.add(type);
    if (type.kind === 'param') {
      const bound = this.get(type);
      return bound !== undefined && this.occurs(variable, bound, done);
    }
    return type.params.some((param) => this.occurs(variable, param, done));
  }
}
