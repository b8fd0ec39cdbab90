import type { KubernetesObject } from 'ots-kubernetes';
import { keyText } from '../objects/object-key.ts';

/** What became of one object between two states of a store. */
export type Change<T> =
  | { type: 'added'; object: T }
  | { type: 'updated'; oldObject: T; object: T }
  | { type: 'deleted'; object: T };

/** The last known objects of one list, by key. Turns lists and watch events into changes. */
export class ObjectStore<T extends KubernetesObject> {
  readonly #objects = new Map<string, T>();

  get size(): number {
    return this.#objects.size;
  }

  get(key: string): T | undefined {
    return this.#objects.get(key);
  }

  values(): IterableIterator<T> {
    return this.#objects.values();
  }

  /** Takes a whole list. Objects that are not in it were deleted while nobody watched. */
  replace(objects: readonly T[]): Change<T>[] {
    const changes: Change<T>[] = [];
    const gone = new Map(this.#objects);
    for (const object of objects) {
      gone.delete(keyOf(object));
      changes.push(...this.upsert(object));
    }
    for (const object of gone.values()) changes.push(...this.delete(object));
    return changes;
  }

  /** Takes a new or changed object. Nothing changes when this version of it is known already. */
  upsert(object: T): Change<T>[] {
    const key = keyOf(object);
    const oldObject = this.#objects.get(key);
    if (!oldObject) {
      this.#objects.set(key, object);
      return [{ type: 'added', object }];
    }
    const before = oldObject.metadata;
    const after = object.metadata;
    if (before.uid === after.uid && before.resourceVersion === after.resourceVersion) return [];
    this.#objects.set(key, object);
    if (before.uid === after.uid) return [{ type: 'updated', oldObject, object }];
    // Another object of the same name. Seen as an update, the end of the first one would be missed.
    return [
      { type: 'deleted', object: oldObject },
      { type: 'added', object },
    ];
  }

  delete(object: T): Change<T>[] {
    return this.#objects.delete(keyOf(object)) ? [{ type: 'deleted', object }] : [];
  }
}

function keyOf({ metadata }: KubernetesObject): string {
  return keyText({ name: metadata.name ?? '', namespace: metadata.namespace });
}
