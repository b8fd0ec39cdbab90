import type { Kind, KubernetesObject } from 'ots-kubernetes';
import type { CachedListOptions } from '../client/cached-reader.ts';
import { UsageError } from '../errors/usage-error.ts';
import type { ObjectKey } from '../objects/object-key.ts';
import { labelMatcher } from '../selectors/label-matcher.ts';
import { type Change, ObjectStore } from './object-store.ts';
import { WriteOverlay } from './write-overlay.ts';

/** The version up to which the store knows a namespace; see `OverlayBase.reached`. */
export type Reached = (namespace: string | undefined) => string | undefined;

/**
 * The objects of one kind as readers see them: what the watch delivered, overlaid with what this program has written
 * since.
 */
export class CachedObjects<T extends KubernetesObject> {
  /** What the watch brought. */
  readonly store = new ObjectStore<T>();
  readonly overlay: WriteOverlay<T>;
  readonly #kind: Kind<T>;

  constructor(kind: Kind<T>, reached: Reached) {
    this.#kind = kind;
    this.overlay = new WriteOverlay({ stored: (key) => this.store.get(key), reached });
  }

  get(key: ObjectKey): T | undefined {
    const entry = this.overlay.find(key);
    return entry ? entry.object : this.store.get(key);
  }

  /**
   * What a watch would have delivered of objects that own writes have shown to readers, and that a list does not have: they came and went
   * between two lists. Without it, a controller that waits for the end of such an object would wait forever.
   *
   * @param undelivered the objects that the watch had not delivered before the list
   */
  missed(undelivered: readonly T[]): Change<T>[] {
    return undelivered
      .filter(({ metadata }) => {
        const key = metadata as ObjectKey;
        return !this.store.get(key) && !this.overlay.find(key);
      })
      .flatMap((object) => [
        { type: 'added', object },
        { type: 'deleted', object, finalStateUnknown: true },
      ]);
  }

  /** @throws {UsageError} if the index does not exist. {SelectorError} if the label selector is invalid. */
  list(options: CachedListOptions): T[] {
    const { labelSelector, index = {}, namespace } = options;
    const hasLabels = labelSelector === undefined ? undefined : labelMatcher(labelSelector);
    const overlaid = this.overlay.entries();
    const covered = new Set(overlaid.map(({ key }) => this.store.get(key)));
    const found: T[] = [];
    for (const object of this.#candidates(namespace, Object.entries(index))) {
      if (covered.has(object)) continue;
      if (!hasLabels || hasLabels(object.metadata.labels)) found.push(object);
    }
    for (const { object } of overlaid) {
      if (!object || (namespace !== undefined && (object.metadata.namespace ?? '') !== namespace)) continue;
      if (hasLabels && !hasLabels(object.metadata.labels)) continue;
      const isIndexed = Object.entries(index).every(([name, value]) =>
        this.store.indexes.has(name, object, value),
      );
      if (isIndexed) found.push(object);
    }
    return found;
  }

  /** The stored objects with the namespace and the index values, found through the smallest of these sets. */
  *#candidates(namespace: string | undefined, index: [name: string, value: string][]): Generator<T> {
    const sets = index.map(([name, value]) => this.#indexed(name, value)).toSorted((a, b) => a.size - b.size);
    const [smallest] = sets;
    const isNamespaceSmaller =
      namespace !== undefined && smallest && this.store.sizeOf(namespace) < smallest.size;
    if (!smallest || isNamespaceSmaller) {
      for (const object of this.store.values(namespace)) {
        if (sets.every((set) => set.has(object))) yield object;
      }
      return;
    }
    for (const object of smallest) {
      const isHere = namespace === undefined || (object.metadata.namespace ?? '') === namespace;
      if (isHere && sets.every((set) => set.has(object))) yield object;
    }
  }

  #indexed(name: string, value: string): ReadonlySet<T> {
    const found = this.store.indexes.find(name, value);
    if (found) return found;
    const names = this.store.indexes.names;
    throw new UsageError(
      `${this.#kind.kind} has no index named ${JSON.stringify(name)}${names.length > 0 ? `, only ${names.join(', ')}` : ''}`,
      `Add it with manager.cache.addIndex(${this.#kind.kind}, ${JSON.stringify(name)}, (object) => […]).`,
    );
  }
}
