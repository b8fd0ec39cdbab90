import type { Kind, KubernetesObject } from 'ots-kubernetes';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import type { ObjectKey } from '../objects/object-key.ts';
import type { LabelSelector } from '../selectors/label-selector.ts';

/** What to list from a cache. All that is given must hold. */
export interface CachedListOptions {
  /** All cached namespaces when absent. */
  namespace?: string | undefined;
  /** As in `kubectl -l`, or as in the specs of Kubernetes objects; all objects by default. */
  labelSelector?: string | LabelSelector | undefined;
  /** Values of indexes by their names, all of which must hold; see `Cache.addIndex`. All objects by default. */
  index?: Readonly<Record<string, string>> | undefined;
}

/** A cache as a client sees it: it answers reads, and is told of writes so that it can show them at once. */
export interface CachedReader {
  /**
   * The object, or undefined when there is none of this name.
   * @throws {KindNotCachedError} when the kind is not in the cache. {CacheSyncError} before it is filled.
   */
  get<T extends KubernetesObject>(kind: Kind<T>, key: ObjectKey): DeepReadonly<T> | undefined;
  /**
   * The objects of the kind that the options select, in no order.
   * @throws {KindNotCachedError} when the kind is not in the cache. {CacheSyncError} before it is filled.
   */
  list<T extends KubernetesObject>(kind: Kind<T>, options?: CachedListOptions): DeepReadonly<T>[];
  /**
   * The server stored this as the answer to a write; it may still be on its way in the watch. The caller may change the
   * object afterwards: a cache copies what it keeps.
   */
  wrote(kind: Kind, object: KubernetesObject): void;
  /** The server removed this object; that may still be on its way in the watch. */
  removed(kind: Kind, key: ObjectKey, uid: string | undefined): void;
}
