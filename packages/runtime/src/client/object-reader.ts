import type { Kind, KubernetesObject } from 'ots-kubernetes';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import type { ObjectKey } from '../objects/object-key.ts';
import type { ItemsOptions, ListOptions, RequestOptions } from './request-options.ts';

/** A list of objects, or one page of it. */
export interface ObjectList<T> {
  /** In the order of the server; from a cache in no particular order. */
  items: DeepReadonly<T>[];
  /** Metadata of the whole list. */
  metadata: {
    /** The version of the whole list; absent if it comes from a cache. */
    resourceVersion?: string;
    /** The token of the next page; absent on the last page. */
    continue?: string;
    /** How many items follow; not always known. */
    remainingItemCount?: number;
  };
}

/** Where a client reads: on the server, or in a cache. */
export interface ObjectReader {
  get<T extends KubernetesObject>(
    kind: Kind<T>,
    key: ObjectKey,
    options: RequestOptions,
  ): Promise<DeepReadonly<T> | undefined>;
  list<T extends KubernetesObject>(kind: Kind<T>, options: ListOptions): Promise<ObjectList<T>>;
  items<T extends KubernetesObject>(kind: Kind<T>, options: ItemsOptions): AsyncIterable<DeepReadonly<T>>;
}
