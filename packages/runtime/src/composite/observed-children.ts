import type { Kind, KubernetesObject } from 'ots-kubernetes';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import { type ObjectKey, keyOf, keyText } from '../objects/object-key.ts';

/** The children of one owner: the state of the cache at the start of a reconcile, updated with its writes. */
export class ObservedChildren {
  readonly #namespace: string | undefined;
  readonly #children = new Map<string, Map<string, DeepReadonly<KubernetesObject>>>();

  /** @param namespace that of the owner, for lookups by name alone. */
  constructor(namespace: string | undefined) {
    this.#namespace = namespace;
  }

  /** Returns the children of the kind, sorted by name, including those that are being deleted. */
  of<T extends KubernetesObject>(kind: Kind<T>): DeepReadonly<T>[] {
    return [...(this.#children.get(idOf(kind)) ?? [])]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([, child]) => child as DeepReadonly<T>);
  }

  /**
   * Returns the child with this name; undefined if it does not exist.
   * @param key a name in the namespace of the owner, or name and namespace.
   */
  get<T extends KubernetesObject>(kind: Kind<T>, key: string | ObjectKey): DeepReadonly<T> | undefined {
    const named: ObjectKey =
      typeof key === 'string' ? { name: key, ...(this.#namespace && { namespace: this.#namespace }) } : key;
    const text = keyText(kind.scope === 'Namespaced' ? named : { name: named.name });
    return this.#children.get(idOf(kind))?.get(text) as DeepReadonly<T> | undefined;
  }

  /** Records the current state of a child. For the runtime, not for operators. */
  note(kind: Pick<Kind, 'apiVersion' | 'kind'>, child: DeepReadonly<KubernetesObject>): void {
    const id = idOf(kind);
    const ofKind = this.#children.get(id) ?? new Map<string, DeepReadonly<KubernetesObject>>();
    this.#children.set(id, ofKind.set(keyText(keyOf(child)), child));
  }
}

/** Returns a key that identifies the kind. */
export function idOf({ apiVersion, kind }: Pick<Kind, 'apiVersion' | 'kind'>): string {
  return `${apiVersion}/${kind}`;
}
