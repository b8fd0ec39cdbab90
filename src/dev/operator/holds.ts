import type { ReconciledObject } from '../model/dev-action.ts';

/** A reconcile that waits for a person. */
interface Held {
  readonly key: string;
  readonly release: () => void;
}

/** Holds the reconciles of an operator, or of single objects, until a person lets them run. */
export class Holds {
  readonly #paused = new Set<string>();
  #isPaused = false;
  /** In the order in which they would have run. */
  #held: Held[] = [];

  /** @returns undefined for a reconcile that may run now; otherwise resolves when it may */
  admit(object: ReconciledObject): Promise<void> | undefined {
    const key = keyOf(object);
    if (!this.#isPaused && !this.#paused.has(key)) return undefined;
    return new Promise((release) => this.#held.push({ key, release }));
  }

  /** @param object default: all */
  pause(object?: ReconciledObject): void {
    if (object) this.#paused.add(keyOf(object));
    else this.#isPaused = true;
  }

  /** @param object default: all, also those that were paused one by one */
  resume(object?: ReconciledObject): void {
    if (object) this.#paused.delete(keyOf(object));
    else {
      this.#isPaused = false;
      this.#paused.clear();
    }
    this.#release(({ key }) => !this.#isPaused && !this.#paused.has(key));
  }

  /** Lets one held reconcile run. @param object default: the first */
  step(object?: ReconciledObject): void {
    const next = this.#held.find(({ key }) => !object || key === keyOf(object));
    if (next) this.#release((held) => held === next);
  }

  #release(isFree: (held: Held) => boolean): void {
    const free = this.#held.filter(isFree);
    this.#held = this.#held.filter((held) => !free.includes(held));
    for (const { release } of free) release();
  }
}

function keyOf({ controller, namespace, name }: ReconciledObject): string {
  return JSON.stringify([controller, namespace, name]);
}
