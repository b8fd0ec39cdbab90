/** The namespaces that an informer caches. They may change while it runs. */
export interface NamespaceFeed {
  /** The namespaces now, where undefined stands for all of them; undefined while they are not known yet. */
  readonly names: ReadonlySet<string | undefined> | undefined;
  /** Whether they change at run time. One of them that cannot be read then does not stop the others. */
  readonly isDynamic: boolean;
  /** Whether the namespace is being deleted, which takes the rights in it away before the namespace goes. */
  isEnding(name: string): boolean;
  /** Calls back after every change, until the result is disposed of. */
  follow(changed: () => void): Disposable;
}

/** A namespace of a feed that changes at run time. */
export interface SelectedNamespace {
  /** Whether it is being deleted. */
  isEnding(): boolean;
}

/** A feed that never changes. */
export function fixedFeed(names: readonly (string | undefined)[]): NamespaceFeed {
  return {
    names: new Set(names),
    isDynamic: false,
    isEnding: () => false,
    follow: () => ({ [Symbol.dispose]: () => {} }),
  };
}

/** All namespaces, in one list and watch. Also for cluster-scoped kinds. */
export const wholeCluster: NamespaceFeed = fixedFeed([undefined]);
