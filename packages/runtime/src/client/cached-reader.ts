import type { Kind, KubernetesObject } from 'ots-kubernetes';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import type { ObjectKey } from '../objects/object-key.ts';
import type { LabelSelector } from '../selectors/label-selector.ts';

/** What to list from a cache. An object must match all options. */
export interface CachedListOptions {
  /** All cached namespaces when absent. */
  namespace?: string | undefined;
  /** As in `kubectl -l`, or as in the specs of Kubernetes objects; all objects by default. */
  labelSelector?: string | LabelSelector | undefined;
  /** Index values by index name; an object must match all of them; see `Cache.addIndex`. All objects by default. */
  index?: Readonly<Record<string, string>> | undefined;
}

/** What a write was based on: what the object was when its writer read it. */
export interface WriteBase {
  /** Its `metadata.uid`; absent if the write names none. */
  readonly uid?: string | undefined;
  /** Its `metadata.resourceVersion`; absent if the write names none. */
  readonly resourceVersion?: string | undefined;
}

/** A cache as a client sees it: it serves reads, and receives writes to show them at once. */
export interface CachedReader {
  /**
   * The object, or undefined if it does not exist.
   * @throws {KindNotCachedError} when the kind is not in the cache. {CacheSyncError} before it is filled.
   */
  get<T extends KubernetesObject>(kind: Kind<T>, key: ObjectKey): DeepReadonly<T> | undefined;
  /**
   * The objects of the kind that the options select, in no particular order.
   * @throws {KindNotCachedError} when the kind is not in the cache. {CacheSyncError} before it is filled.
   */
  list<T extends KubernetesObject>(kind: Kind<T>, options?: CachedListOptions): DeepReadonly<T>[];
  /**
   * The server stored this object in response to a write; the watch may not have delivered it yet. The caller may
   * modify the object afterward: a cache copies what it keeps.
   */
  wrote(kind: Kind, object: KubernetesObject): void;
  /** The server deleted this object; the watch may not have delivered that yet. */
  removed(kind: Kind, key: ObjectKey, uid: string | undefined): void;
  /**
   * Calls back when the watch delivers a change of the object, once. Optional: without it, a refused write is tried again after a delay.
   * @returns a handle that ends that; undefined if the cache will bring no news, as it does not have the kind, or has another state of the
   *   object than the base already.
   */
  onNews?(kind: Kind, key: ObjectKey, base: WriteBase, listener: () => void): Disposable | undefined;
  /**
   * If replicas divide the objects of the kind, returns a check of an object that is not in the cache. Optional: without it, all objects
   * are in the cache.
   * @returns a function that throws if another replica caches the object.
   */
  ownerCheck?(kind: Kind): ((object: KubernetesObject) => void) | undefined;
}
