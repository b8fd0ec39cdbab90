import type { KubernetesObject } from 'ots-kubernetes';
import { type ObjectKey, keyText } from '../objects/object-key.ts';
import { isAtLeast, isComparable } from './resource-version.ts';

/** What a reader sees instead of what the store holds. */
export interface OverlayEntry<T> {
  key: ObjectKey;
  uid: string | undefined;
  /** The version of the write; for a deletion, of the last known state. */
  version: string;
  /** Undefined if the object is hidden: it was deleted, or is no longer selected. */
  object: T | undefined;
  /** What readers saw last; undefined if it is no longer selected. */
  last: T | undefined;
  removed: boolean;
}

/** The state of the watch that an overlay lies over. */
export interface OverlayBase<T> {
  stored(key: ObjectKey): T | undefined;
  /** The version up to which all changes in the namespace are in the store; undefined if unknown. */
  reached(namespace: string | undefined): string | undefined;
}

/** Far more writes than are ever in flight at once. It bounds memory if a watch is down for long. */
const capacity = 10_000;

/**
 * The responses to a program's own writes until the watch delivers them. A program that writes an object and reads it
 * from the cache sees its write. It relies on comparable resource versions (KEP-5504). Pure logic: no I/O, no time.
 *
 * An entry for a write lives until the watch has reached the write. An entry for a deletion hides the object with its
 * uid until the watch has delivered the deletion. In whatever order responses and events arrive, a reader never sees an
 * older state after a newer one.
 */
export class WriteOverlay<T extends KubernetesObject> {
  readonly #base: OverlayBase<T>;
  readonly #entries = new Map<string, OverlayEntry<T>>();

  constructor(base: OverlayBase<T>) {
    this.#base = base;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** What to show instead of the stored object; undefined if the stored one is current. */
  find(key: ObjectKey): OverlayEntry<T> | undefined {
    if (this.#entries.size === 0) return undefined;
    const text = keyText(key);
    const entry = this.#entries.get(text);
    if (!entry || !this.#isOutdated(entry)) return entry;
    this.#entries.delete(text);
    return undefined;
  }

  /** Everything to show instead of stored objects. */
  entries(): OverlayEntry<T>[] {
    this.sweep();
    return [...this.#entries.values()];
  }

  /** The objects that the watch has never delivered, as readers saw them last. */
  undelivered(): T[] {
    return this.entries().flatMap(({ key, last }) => (last && !this.#base.stored(key) ? [last] : []));
  }

  /**
   * Records the response to a write.
   * @param show creates what readers see; undefined if the object is not selected.
   * @returns false if its version cannot be compared, which makes an overlay impossible.
   */
  wrote(object: KubernetesObject, show: () => T | undefined): boolean {
    const { uid, resourceVersion: version, namespace, name = '' } = object.metadata;
    if (!isComparable(version)) return false;
    const key: ObjectKey = { namespace, name };
    const before = this.find(key);
    const isLate =
      before && (before.removed && before.uid === uid ? true : isAtLeast(before.version, version));
    if (isLate || this.#hasReached(namespace, version)) return true;
    const shown = show();
    if (shown || this.#base.stored(key)) {
      this.#put({ key, uid, version, object: shown, last: shown, removed: false });
    } else {
      this.#entries.delete(keyText(key));
    }
    return true;
  }

  /** Records the deletion of the object, with any uid if it is unknown. */
  removed(key: ObjectKey, uid: string | undefined): void {
    const before = this.find(key);
    const last = before && !before.removed ? before : this.#storedEntry(key);
    // The object is unknown here, or is another one of the same name: there is nothing to hide.
    if (!last || !isComparable(last.version) || (uid !== undefined && last.uid !== uid)) return;
    this.#put({ ...last, object: undefined, removed: true });
  }

  /** Forgets what the watch has caught up with. Call it after lists and bookmarks. */
  sweep(): void {
    for (const [text, entry] of this.#entries) if (this.#isOutdated(entry)) this.#entries.delete(text);
  }

  /** Forgets the writes in a namespace that is no longer cached. */
  forget(namespace: string): void {
    for (const [text, { key }] of this.#entries) if (key.namespace === namespace) this.#entries.delete(text);
  }

  /** Forgets the writes to objects that are not selected any more. */
  retain(isSelected: (uid: string | undefined) => boolean): void {
    for (const [text, { uid }] of this.#entries) if (!isSelected(uid)) this.#entries.delete(text);
  }

  clear(): void {
    this.#entries.clear();
  }

  #put(entry: OverlayEntry<T>): void {
    const text = keyText(entry.key);
    this.#entries.delete(text);
    this.#entries.set(text, entry);
    if (this.#entries.size <= capacity) return;
    // Drops the oldest: the watch has passed it, or readers see the state before the write until the watch is back.
    const [oldest] = this.#entries.keys();
    this.#entries.delete(oldest!);
  }

  #storedEntry(key: ObjectKey): OverlayEntry<T> | undefined {
    const stored = this.#base.stored(key);
    if (!stored) return undefined;
    const { uid, resourceVersion: version = '' } = stored.metadata;
    return { key, uid, version, object: stored, last: stored, removed: false };
  }

  #isOutdated({ key, uid, version, removed }: OverlayEntry<T>): boolean {
    if (!removed) return this.#hasReached(key.namespace, version);
    const stored = this.#base.stored(key);
    // While the object is stored, its deletion is still pending. While it is not, its creation may be.
    return stored
      ? stored.metadata.uid !== uid && this.#isNewer(stored, version)
      : this.#hasReached(key.namespace, version);
  }

  #isNewer({ metadata: { resourceVersion } }: T, version: string): boolean {
    return isComparable(resourceVersion) && isComparable(version) && isAtLeast(resourceVersion, version);
  }

  #hasReached(namespace: string | undefined, version: string): boolean {
    const reached = this.#base.reached(namespace);
    return isComparable(reached) && isComparable(version) && isAtLeast(reached, version);
  }
}
