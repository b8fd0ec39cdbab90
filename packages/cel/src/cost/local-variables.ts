import type { CelType } from '../types/cel-type.ts';
import type { Estimate } from './estimate.ts';
import type { Path } from './path.ts';

/** The sizes of the entries of a list (with indexes as keys) or a map. */
export interface EntrySize {
  readonly container: Extract<CelType['kind'], 'list' | 'map'>;
  readonly key: Estimate;
  readonly value: Estimate;
}

/** What is known about a variable of a macro. */
export interface LocalVariable {
  readonly path: Path;
  readonly size: Estimate | undefined;
  readonly entrySize: EntrySize | undefined;
}

/** The macro variables in scope, the innermost one of a name last. */
export class LocalVariables {
  readonly #stacks = new Map<string, LocalVariable[]>();

  push(name: string, variable: LocalVariable): void {
    const stack = this.#stacks.get(name);
    if (stack) stack.push(variable);
    else this.#stacks.set(name, [variable]);
  }

  pop(name: string): void {
    this.#stacks.get(name)?.pop();
  }

  get(name: string): LocalVariable | undefined {
    return this.#stacks.get(name)?.at(-1);
  }
}
