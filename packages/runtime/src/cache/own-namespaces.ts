import type { NamespaceFeed } from './namespace-feed.ts';

/** Knows which namespaces this process works on, of those that it shares with others. */
export interface NamespaceOwnership {
  /** Whether the namespace is its own now. */
  owns(namespace: string): boolean;
  /**
   * Calls back after every change.
   * @returns a function that ends that.
   */
  onChange(listener: () => void): () => void;
}

/** The namespaces of a feed that are this process's own. */
export class OwnNamespaces implements NamespaceFeed {
  readonly isDynamic = true;
  readonly #all: NamespaceFeed;
  readonly #ownership: NamespaceOwnership;
  /** Until the next change: it is read for each request. */
  #names: ReadonlySet<string> | undefined;

  /** @param all a feed that knows the names of its namespaces. */
  constructor(all: NamespaceFeed, ownership: NamespaceOwnership) {
    this.#all = all;
    this.#ownership = ownership;
  }

  get names(): ReadonlySet<string> | undefined {
    const { names } = this.#all;
    if (!names) return undefined;
    const own = (name: string | undefined): name is string =>
      name !== undefined && this.#ownership.owns(name);
    return (this.#names ??= new Set([...names].filter((name) => own(name))));
  }

  isEnding(name: string): boolean {
    return this.#all.isEnding(name);
  }

  follow(changed: () => void): Disposable {
    const forget = (): void => {
      this.#names = undefined;
      changed();
    };
    const following = this.#all.follow(forget);
    const end = this.#ownership.onChange(forget);
    return {
      [Symbol.dispose]: () => {
        end();
        following[Symbol.dispose]();
      },
    };
  }
}
