import type { Kind, KubernetesObject } from 'ots-kubernetes';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import type { ObjectKey } from '../objects/object-key.ts';
import type { ObjectList } from './object-list.ts';
import type { ItemsOptions, ListOptions, RequestOptions } from './request-options.ts';

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
