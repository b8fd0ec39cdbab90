import { isDnsLabel } from 'ots-apimachinery/names';
import { UsageError } from '../errors/usage-error.ts';

/**
 * A list of namespaces to cache that changes at run time: `Manager.create({ cache: { namespaces: list } })`, and later
 * `list.add('team-b')`. It may be empty. Several managers and kinds can share one.
 *
 * A namespace that is added is cached a moment later; its objects then reconcile as at a start. Objects of a namespace
 * that is removed leave the cache at once.
 */
export class NamespaceList {
  #names: ReadonlySet<string>;
  readonly #followers = new Set<() => void>();

  /**
   * @param names the namespaces at first; none by default
   * @throws {UsageError} if one of them is not the name of a namespace.
   */
  constructor(names: Iterable<string> = []) {
    this.#names = checked(names);
  }

  /** The namespaces now. */
  get names(): ReadonlySet<string> {
    return this.#names;
  }

  /** @internal */
  get isDynamic(): boolean {
    return true;
  }

  /**
   * A list of names says nothing about that.
   * @internal
   */
  isEnding(): boolean {
    return false;
  }

  /**
   * Adds namespaces. Those that are there already stay cached.
   * @throws {UsageError} if one of them is not the name of a namespace; none is then added.
   */
  add(...names: readonly string[]): void {
    this.set([...this.#names, ...names]);
  }

  /** Removes namespaces. Names that are not in the list do not matter. */
  delete(...names: readonly string[]): void {
    const removed = new Set(names);
    this.set([...this.#names].filter((name) => !removed.has(name)));
  }

  /**
   * Replaces the list. Namespaces in the old list and in the new one stay cached.
   * @throws {UsageError} if one of them is not the name of a namespace; the list then stays as it is.
   */
  set(names: Iterable<string>): void {
    const next = checked(names);
    const before = this.#names;
    if (next.size === before.size && [...next].every((name) => before.has(name))) return;
    this.#names = next;
    for (const changed of this.#followers) changed();
  }

  /** @internal */
  follow(changed: () => void): Disposable {
    // A function of its own: the same one can follow twice.
    const follower = (): void => changed();
    this.#followers.add(follower);
    return { [Symbol.dispose]: () => void this.#followers.delete(follower) };
  }
}

function checked(names: Iterable<string>): ReadonlySet<string> {
  const set = new Set(names);
  for (const name of set) {
    if (isDnsLabel(name)) continue;
    throw new UsageError(
      `${JSON.stringify(name)} is not the name of a namespace`,
      'Pass the names of single namespaces, such as default.',
    );
  }
  return set;
}
