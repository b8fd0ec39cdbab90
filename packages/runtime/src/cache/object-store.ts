import type { KubernetesObject } from 'ots-kubernetes';
import type { ObjectKey } from '../objects/object-key.ts';
import { ObjectIndexes } from './object-indexes.ts';

/** How one object differs between two states of a store. */
export type Change<T> =
  | { type: 'added'; object: T }
  | { type: 'updated'; oldObject: T; object: T }
  | {
      type: 'deleted';
      object: T;
      /** True if the deletion was not observed, only the absence. */
      finalStateUnknown: boolean;
    }
  /** Its namespace, or the object itself, is no longer cached here; it may still exist. */
  | { type: 'uncached'; object: T };

/** The objects of one namespace by name. */
type Bucket<T> = Map<string, T>;

/**
 * The last known objects of one kind. Turns lists and watch events into changes.
 *
 * It is keyed by namespace and then by name: the objects contain both strings anyway, while a joined key would cost one
 * more string each.
 */
export class ObjectStore<T extends KubernetesObject> {
  readonly indexes = new ObjectIndexes<T>();
  #buckets = new Map<string, Bucket<T>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get({ namespace, name }: ObjectKey): T | undefined {
    return this.#buckets.get(namespace ?? '')?.get(name);
  }

  /** How many objects there are in the namespace. */
  sizeOf(namespace: string): number {
    return this.#buckets.get(namespace)?.size ?? 0;
  }

  /** The objects of one namespace, or all. */
  *values(namespace?: string): Generator<T> {
    if (namespace !== undefined) yield* this.#buckets.get(namespace)?.values() ?? [];
    else for (const bucket of this.#buckets.values()) yield* bucket.values();
  }

  /**
   * Stores a complete list, of one namespace or of all. Objects that are not in it were deleted while the watch was
   * interrupted. The update is atomic: readers never see half of it.
   */
  replace(objects: readonly T[], namespace?: string): Change<T>[] {
    const listed = new Map<string, Bucket<T>>();
    const changes: Change<T>[] = [];
    for (const object of objects) {
      const bucket = bucketIn(listed, namespaceOf(object));
      // Pages of a list whose version expired in the middle may overlap.
      if (bucket.has(nameOf(object))) continue;
      const before = this.get(object.metadata as ObjectKey);
      bucket.set(nameOf(object), this.#compare(before, object, changes) ? object : before!);
    }
    for (const object of this.values(namespace)) {
      if (listed.get(namespaceOf(object))?.has(nameOf(object))) continue;
      changes.push({ type: 'deleted', object, finalStateUnknown: true });
    }
    if (namespace === undefined) this.#buckets = listed;
    else this.#setBucket(namespace, listed.get(namespace));
    this.#size = 0;
    for (const bucket of this.#buckets.values()) this.#size += bucket.size;
    this.indexes.apply(changes);
    return changes;
  }

  /** Removes the objects of a namespace that is no longer cached. */
  forget(namespace: string): Change<T>[] {
    const changes: Change<T>[] = [];
    for (const object of this.values(namespace)) changes.push({ type: 'uncached', object });
    this.#buckets.delete(namespace);
    this.#size -= changes.length;
    this.indexes.apply(changes);
    return changes;
  }

  /** Removes the objects of one namespace, or of all, that are not selected any more. */
  retain(isSelected: (object: T) => boolean, namespace?: string): Change<T>[] {
    const left = [...this.values(namespace)].filter((object) => !isSelected(object));
    for (const object of left) {
      const bucket = this.#buckets.get(namespaceOf(object))!;
      bucket.delete(nameOf(object));
      if (bucket.size === 0) this.#buckets.delete(namespaceOf(object));
    }
    this.#size -= left.length;
    const changes = left.map((object): Change<T> => ({ type: 'uncached', object }));
    this.indexes.apply(changes);
    return changes;
  }

  /** Stores a new or changed object. Does nothing if it already has this version. */
  upsert(object: T): Change<T>[] {
    const bucket = bucketIn(this.#buckets, namespaceOf(object));
    const name = nameOf(object);
    const before = bucket.get(name);
    const changes: Change<T>[] = [];
    if (this.#compare(before, object, changes)) {
      bucket.set(name, object);
      if (!before) this.#size += 1;
      this.indexes.apply(changes);
    }
    return changes;
  }

  /** Removes a deleted object, given in its final state. */
  delete(object: T): Change<T>[] {
    const namespace = namespaceOf(object);
    const bucket = this.#buckets.get(namespace);
    const before = bucket?.get(nameOf(object));
    if (!bucket || !before) return [];
    bucket.delete(nameOf(object));
    if (bucket.size === 0) this.#buckets.delete(namespace);
    this.#size -= 1;
    // The event is about another object of the same name, whose creation was missed: the known object was deleted too.
    const isOther = before.metadata.uid !== object.metadata.uid;
    const changes: Change<T>[] = [
      { type: 'deleted', object: isOther ? before : object, finalStateUnknown: isOther },
    ];
    this.indexes.remove(before);
    return changes;
  }

  /** Adds the difference to the changes; false if the object is the same as before. */
  #compare(before: T | undefined, object: T, changes: Change<T>[]): boolean {
    if (!before) {
      changes.push({ type: 'added', object });
    } else if (before.metadata.uid !== object.metadata.uid) {
      // Another object of the same name. As an update, it would hide the deletion of the first one.
      changes.push({ type: 'deleted', object: before, finalStateUnknown: true }, { type: 'added', object });
    } else if (before.metadata.resourceVersion !== object.metadata.resourceVersion) {
      changes.push({ type: 'updated', oldObject: before, object });
    } else {
      return false;
    }
    return true;
  }

  #setBucket(namespace: string, bucket: Bucket<T> | undefined): void {
    if (bucket) this.#buckets.set(namespace, bucket);
    else this.#buckets.delete(namespace);
  }
}

function bucketIn<T>(buckets: Map<string, Bucket<T>>, namespace: string): Bucket<T> {
  let bucket = buckets.get(namespace);
  if (!bucket) buckets.set(namespace, (bucket = new Map()));
  return bucket;
}

function namespaceOf({ metadata }: KubernetesObject): string {
  return metadata.namespace ?? '';
}

function nameOf({ metadata }: KubernetesObject): string {
  return metadata.name ?? '';
}
