import type { Kind, KubernetesObject } from 'ots-kubernetes';
import type { Cache } from '../cache/cache.ts';
import type { CacheKindOptions } from '../cache/informer-options.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';

/** Something that every cache has, and the handles by which each of them keeps it. */
interface Declaration {
  readonly declare: (cache: Cache) => Disposable | undefined;
  readonly uses: Map<Cache, Disposable>;
}

/** What the cache of every cluster has: of those that are there, and of those that join later. */
export class ClustersCache {
  readonly #caches = new Set<Cache>();
  readonly #declarations = new Set<Declaration>();

  /**
   * Declares a kind and what to cache of it, as `manager.cache.add` does for the manager's cluster.
   * @returns a handle that ends the use.
   * @throws {UsageError} if other users of the kind passed different options. {SelectorError} if a selector is invalid. Both
   *   only when there is a cluster; otherwise the manager fails when the first one joins.
   */
  add<T extends KubernetesObject>(kind: Kind<T>, options: CacheKindOptions<T> = {}): Disposable {
    const declaration = this.#declare((cache) => cache.add(kind, options));
    return {
      [Symbol.dispose]: () => {
        this.#declarations.delete(declaration);
        for (const use of declaration.uses.values()) use[Symbol.dispose]();
        declaration.uses.clear();
      },
    };
  }

  /**
   * Adds an index, as `manager.cache.addIndex` does for the manager's cluster.
   * @throws {UsageError} if the kind has an index of this name with another function.
   */
  addIndex<T extends KubernetesObject>(
    kind: Kind<T>,
    name: string,
    values: (object: DeepReadonly<T>) => readonly string[],
  ): void {
    this.#declare((cache) => {
      cache.addIndex(kind, name, values);
      return undefined;
    });
  }

  /**
   * A cluster joins.
   * @internal
   */
  join(cache: Cache): void {
    for (const declaration of this.#declarations) apply(declaration, cache);
    this.#caches.add(cache);
  }

  /**
   * A cluster leaves.
   * @internal
   */
  leave(cache: Cache): void {
    this.#caches.delete(cache);
    for (const { uses } of this.#declarations) uses.delete(cache);
  }

  #declare(declare: Declaration['declare']): Declaration {
    const declaration: Declaration = { declare, uses: new Map() };
    for (const cache of this.#caches) apply(declaration, cache);
    this.#declarations.add(declaration);
    return declaration;
  }
}

function apply({ declare, uses }: Declaration, cache: Cache): void {
  const use = declare(cache);
  if (use) uses.set(cache, use);
}
