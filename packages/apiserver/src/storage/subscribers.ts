import type { Change } from './change-log.ts';

type Listener = (change: Change) => void;

/** The listeners of a table, indexed by the keys they watch, so a change reaches only those it concerns. */
export class Subscribers {
  readonly #byScope = new Map<string, Set<Listener>>();

  /**
   * @param scope empty for all, `namespace/` for one namespace, or one key
   * @returns a function that ends the subscription
   */
  add(scope: string, listener: Listener): () => void {
    const listeners = this.#byScope.get(scope) ?? new Set();
    this.#byScope.set(scope, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#byScope.get(scope) === listeners) this.#byScope.delete(scope);
    };
  }

  notify(change: Change): void {
    if (this.#byScope.size === 0) return;
    const { key } = change.record;
    for (const scope of new Set(['', key.slice(0, key.indexOf('/') + 1), key])) {
      for (const listener of this.#byScope.get(scope) ?? []) listener(change);
    }
  }
}
