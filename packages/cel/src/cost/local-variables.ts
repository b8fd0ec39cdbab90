import type { CelType } from '../types/cel-type.ts';
import type { Estimate } from './estimate.ts';
import type { Path } from './path.ts';

/** The sizes of what is in a list (its keys are indexes) or a map. */
export interface EntrySize {
  readonly container: Extract<CelType['kind'], 'list' | 'map'>;
  readonly key: Estimate;
  readonly value: Estimate;
}

/** What is known of a variable of a macro. */
export interface LocalVariable {
  readonly path: Path;
  readonly size: Estimate | undefined;
  readonly entrySize: EntrySize | undefined;
}

/** The variables of macros around a place, the innermost of a name last. */
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
