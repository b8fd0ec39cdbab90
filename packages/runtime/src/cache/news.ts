import type { KubernetesObject } from 'ots-kubernetes';
import type { WriteBase } from '../client/cached-reader.ts';
import { type ObjectKey, keyText } from '../objects/object-key.ts';

/** Who waits for changes of single objects. It costs nothing while no one waits. */
export class News {
  readonly #listeners = new Map<string, Set<() => void>>();

  /** Calls back when the object changes, once. */
  on(key: ObjectKey, listener: () => void): Disposable {
    const text = keyText(key);
    const listeners = this.#listeners.get(text) ?? new Set();
    this.#listeners.set(text, listeners.add(listener));
    return {
      [Symbol.dispose]: () => {
        listeners.delete(listener);
        if (listeners.size === 0 && this.#listeners.get(text) === listeners) this.#listeners.delete(text);
      },
    };
  }

  /** The watch has delivered changes. */
  tell(changes: readonly { readonly object: KubernetesObject }[]): void {
    if (this.#listeners.size === 0) return;
    for (const {
      object: { metadata },
    } of changes) {
      const text = keyText({ name: metadata.name ?? '', namespace: metadata.namespace });
      const listeners = this.#listeners.get(text);
      this.#listeners.delete(text);
      for (const listener of listeners ?? []) listener();
    }
  }

  clear(): void {
    this.#listeners.clear();
  }
}

/**
 * Whether a reader sees another state of an object than the one that a refused write was based on.
 *
 * @param seen what the reader sees; undefined if the object does not exist for it
 */
export function isNewer(seen: KubernetesObject | undefined, { resourceVersion, uid }: WriteBase): boolean {
  if (!seen) return true;
  if (resourceVersion !== undefined) return seen.metadata.resourceVersion !== resourceVersion;
  return uid !== undefined && seen.metadata.uid !== uid;
}
