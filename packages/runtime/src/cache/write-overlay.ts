import type { KubernetesObject } from 'ots-kubernetes';
import { type ObjectKey, keyText } from '../objects/object-key.ts';
import { isAtLeast, isComparable } from './resource-version.ts';

/** What a reader sees instead of what the store holds. */
export interface OverlayEntry<T> {
  key: ObjectKey;
  uid: string | undefined;
  /** Of the write; for a removal, of the last state that is known. */
  version: string;
  /** Undefined when the object is hidden: it was removed, or is not selected any more. */
  object: T | undefined;
  removed: boolean;
}

/** The state of the watch that an overlay lies over. */
export interface OverlayBase<T> {
  stored(key: ObjectKey): T | undefined;
  /** Up to which version all changes in the namespace are in the store; undefined when that is not known. */
  reached(namespace: string | undefined): string | undefined;
}

/** Far more writes than are ever on their way at once. It bounds memory when a watch is down for long. */
const capacity = 10_000;

/**
 * The answers to a program's own writes, for as long as the watch has not brought them: with it, whoever writes an
 * object and reads it from the cache sees the write (KEP-5504 makes resource versions comparable, which it relies
 * on). Nothing but decisions: no I/O, no time.
 *
 * An entry for a write lives until the watch has come as far as the write. An entry for a removal hides the object
 * of its uid until the watch has brought the end of it. Whatever the order in which answers and events arrive, a reader
 * never sees an older state after a newer one.
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

  /** What to show instead of the stored object; undefined when the stored one is right. */
  find(key: ObjectKey): OverlayEntry<T> | undefined {
    if (this.#entries.size === 0) return undefined;
    const text = keyText(key);
    const entry = this.#entries.get(text);
    if (!entry || !this.#isOutdated(entry)) return entry;
    this.#entries.delete(text);
    return undefined;
  }

  /** All that is to be shown instead of stored objects. */
  entries(): OverlayEntry<T>[] {
    this.sweep();
    return [...this.#entries.values()];
  }

  /**
   * Takes the answer to a write.
   * @param show makes what readers see of it; undefined when the object is not among those that are selected.
   * @returns false when its version cannot be compared, so that no overlay is possible.
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
      this.#put({ key, uid, version, object: shown, removed: false });
    } else {
      this.#entries.delete(keyText(key));
    }
    return true;
  }

  /** Takes the removal of the object, of any uid when that is not known. */
  removed(key: ObjectKey, uid: string | undefined): void {
    const before = this.find(key);
    const last = before && !before.removed ? before : this.#storedEntry(key);
    // Unknown here, or another of the same name: there is nothing to hide.
    if (!last || !isComparable(last.version) || (uid !== undefined && last.uid !== uid)) return;
    this.#put({ ...last, object: undefined, removed: true });
  }

  /** Forgets what the watch has caught up with. To be called after lists and bookmarks. */
  sweep(): void {
    for (const [text, entry] of this.#entries) if (this.#isOutdated(entry)) this.#entries.delete(text);
  }

  clear(): void {
    this.#entries.clear();
  }

  #put(entry: OverlayEntry<T>): void {
    const text = keyText(entry.key);
    this.#entries.delete(text);
    this.#entries.set(text, entry);
    if (this.#entries.size <= capacity) return;
    // The oldest goes: the watch has passed it, or its object may be seen as it was before the write until it is back.
    const [oldest] = this.#entries.keys();
    this.#entries.delete(oldest!);
  }

  #storedEntry(key: ObjectKey): OverlayEntry<T> | undefined {
    const stored = this.#base.stored(key);
    if (!stored) return undefined;
    const { uid, resourceVersion: version = '' } = stored.metadata;
    return { key, uid, version, object: stored, removed: false };
  }

  #isOutdated({ key, uid, version, removed }: OverlayEntry<T>): boolean {
    if (!removed) return this.#hasReached(key.namespace, version);
    const stored = this.#base.stored(key);
    // While the object is there, its end is still to come. While it is not, its beginning may be.
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
