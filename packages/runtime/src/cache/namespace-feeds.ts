import type { MetadataObject } from '../objects/metadata-of.ts';
import type { Informer } from './informer.ts';
import { type NamespaceFeed, fixedFeed, wholeCluster } from './namespace-feed.ts';
import { NamespaceList } from './namespace-list.ts';
import { type NamespaceSelection, isLabeled, selectorTextOf } from './namespace-selection.ts';
import { type NamespaceOwnership, OwnNamespaces } from './own-namespaces.ts';
import { SelectedNamespaces } from './selected-namespaces.ts';

/** The feeds of a cache: kinds with the same label selector share one watch of Namespaces. */
export class NamespaceFeeds {
  readonly #make: () => Informer<MetadataObject>;
  /** By selector. */
  readonly #selected = new Map<string, SelectedNamespaces>();
  readonly #ownership: NamespaceOwnership | undefined;

  /**
   * @param make creates an informer of `NamespaceMetadata`.
   * @param ownership leaves the namespaces of others out of every feed; none by default.
   */
  constructor(make: () => Informer<MetadataObject>, ownership?: NamespaceOwnership) {
    this.#make = make;
    this.#ownership = ownership;
  }

  /** The informers of Namespaces that run. */
  get informers(): Informer<MetadataObject>[] {
    return [...this.#selected.values()].flatMap(({ informer }) => informer ?? []);
  }

  /** The feed of a selection; of all namespaces if undefined. */
  of(selection: NamespaceSelection | undefined): NamespaceFeed {
    if (!this.#ownership) return this.#feedOf(selection);
    // Only by their names it is known which are the own ones.
    return new OwnNamespaces(this.#feedOf(selection ?? { labelSelector: '' }), this.#ownership);
  }

  #feedOf(selection: NamespaceSelection | undefined): NamespaceFeed {
    if (selection === undefined) return wholeCluster;
    if (selection instanceof NamespaceList) return selection;
    if (!isLabeled(selection)) return fixedFeed(selection);
    const text = selectorTextOf(selection);
    const feed = this.#selected.get(text) ?? new SelectedNamespaces(text, this.#make);
    this.#selected.set(text, feed);
    return feed;
  }

  /** Resolves when the watches have stopped that no kind follows anymore. */
  async stopped(): Promise<void> {
    await Promise.all([...this.#selected.values()].map((feed) => feed.stopped()));
  }
}
