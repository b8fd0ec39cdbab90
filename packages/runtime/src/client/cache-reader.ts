import type { Kind, KubernetesObject } from 'ots-kubernetes';
import { currentWork } from '../context/work-context.ts';
import { UsageError } from '../errors/usage-error.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import type { ObjectKey } from '../objects/object-key.ts';
import type { CachedReader } from './cached-reader.ts';
import type { ObjectList, ObjectReader } from './object-reader.ts';
import type { ItemsOptions, ListOptions, RequestOptions } from './request-options.ts';

/** What only a server can do. */
const live = ['fieldSelector', 'limit', 'continue'] as const;

/** Reads from a cache. What it returns is shared with all other readers. */
export class CacheReader implements ObjectReader {
  readonly #cache: CachedReader;
  readonly #live: ObjectReader;

  /** @param server reads from the server. */
  constructor(cache: CachedReader, server: ObjectReader) {
    this.#cache = cache;
    this.#live = server;
  }

  async get<T extends KubernetesObject>(
    kind: Kind<T>,
    key: ObjectKey,
    options: RequestOptions,
  ): Promise<DeepReadonly<T> | undefined> {
    const work = currentWork();
    (options.signal ?? work?.signal)?.throwIfAborted();
    work?.readCache?.('get', kind, key);
    const object = this.#cache.get(kind, key);
    const check = object ? undefined : this.#cache.ownerCheck?.(kind);
    if (!check) return object;
    // Only the server knows whether an object exists that is not in a part of all objects.
    const found = await this.#live.get(kind, key, options);
    if (found) check(found as KubernetesObject);
    return found;
  }

  async list<T extends KubernetesObject>(kind: Kind<T>, options: ListOptions): Promise<ObjectList<T>> {
    const work = currentWork();
    (options.signal ?? work?.signal)?.throwIfAborted();
    work?.readCache?.('list', kind, { namespace: options.namespace });
    const impossible = live.filter((option) => options[option] !== undefined);
    if (impossible.length > 0) {
      throw new UsageError(
        `A cache cannot list ${kind.kind} objects with ${impossible.join(' and ')}`,
        'Use manager.apiReader, which asks the server; to select by a field, add an index to the cache.',
      );
    }
    const { namespace, labelSelector, index } = options;
    return { items: this.#cache.list(kind, { namespace, labelSelector, index }), metadata: {} };
  }

  async *items<T extends KubernetesObject>(
    kind: Kind<T>,
    options: ItemsOptions,
  ): AsyncGenerator<DeepReadonly<T>> {
    yield* (await this.list(kind, options)).items;
  }
}
