import { Namespace } from 'ots-kubernetes/core/v1';
import { type MetadataObject, metadataOf } from '../objects/metadata-of.ts';
import type { Informer } from './informer.ts';
import type { NamespaceFeed } from './namespace-feed.ts';

/** What is read of Namespaces: their names and labels. */
export const NamespaceMetadata = metadataOf(Namespace);

/** A watch of Namespaces that runs. */
interface Watch {
  informer: Informer<MetadataObject>;
  stop: AbortController;
  running: Promise<void>;
}

/**
 * The namespaces whose labels match, watched while a kind follows them. While the watch is down, those that were known
 * last remain.
 */
export class SelectedNamespaces implements NamespaceFeed {
  readonly isDynamic = true;
  readonly #labelSelector: string;
  readonly #make: () => Informer<MetadataObject>;
  readonly #followers = new Set<() => void>();
  readonly #names = new Set<string>();
  #watch: Watch | undefined;
  /** Whether the first list is in the names. */
  #isKnown = false;
  #stopping: Promise<void> | undefined;

  /** @param make creates an informer of `NamespaceMetadata`. */
  constructor(labelSelector: string, make: () => Informer<MetadataObject>) {
    this.#labelSelector = labelSelector;
    this.#make = make;
  }

  get names(): ReadonlySet<string> | undefined {
    return this.#isKnown ? this.#names : undefined;
  }

  /** The informer of the Namespaces, while a kind follows them. */
  get informer(): Informer<MetadataObject> | undefined {
    return this.#watch?.informer;
  }

  isEnding(name: string): boolean {
    return this.informer?.get({ name })?.metadata.deletionTimestamp !== undefined;
  }

  follow(changed: () => void): Disposable {
    const follower = (): void => changed();
    this.#followers.add(follower);
    this.#watch ??= this.#start();
    return {
      [Symbol.dispose]: () => {
        if (this.#followers.delete(follower) && this.#followers.size === 0) this.#end();
      },
    };
  }

  /** Resolves when the watch has stopped, if no kind follows the namespaces anymore. */
  async stopped(): Promise<void> {
    if (this.#followers.size === 0) await this.#stopping;
  }

  #start(): Watch {
    const informer = this.#make();
    informer.configure({ labelSelector: this.#labelSelector });
    informer.addHandler({
      added: ({ metadata }) => this.#change(() => this.#names.add(metadata.name!)),
      updated: () => {},
      deleted: ({ metadata }) => this.#change(() => this.#names.delete(metadata.name!)),
    });
    void informer.synced.then(() => {
      if (this.#watch?.informer === informer) this.#change(() => (this.#isKnown = true));
    });
    const stop = new AbortController();
    return { informer, stop, running: informer.run(stop.signal) };
  }

  #end(): void {
    const { informer, stop, running } = this.#watch!;
    this.#watch = undefined;
    this.#isKnown = false;
    stop.abort();
    informer.close();
    this.#names.clear();
    this.#stopping = running;
  }

  #change(change: () => void): void {
    change();
    if (this.#isKnown) for (const changed of this.#followers) changed();
  }
}
