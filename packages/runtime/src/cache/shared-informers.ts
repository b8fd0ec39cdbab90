import { setMaxListeners } from 'node:events';
import type { Kind, KubernetesObject } from 'ots-kubernetes';
import { runInContext } from '../context/work-context.ts';
import { UsageError } from '../errors/usage-error.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import { projectionText } from '../objects/projection-of.ts';
import type { CacheKindOptions } from './informer-options.ts';
import type { Informer } from './informer.ts';
import type { IndexFunction } from './object-indexes.ts';

/** Creates the informer of a kind. `retain` counts one more user until its result is called. */
type MakeInformer = <T extends KubernetesObject>(kind: Kind<T>, retain: () => () => void) => Informer<T>;

/** An informer and who needs it. */
interface Entry {
  informer: Informer<KubernetesObject>;
  users: number;
  stop: AbortController;
  running: Promise<void> | undefined;
}

/**
 * One informer per kind for all its users. It runs from its first use, or from the start, and stops with its last user
 * or with the signal of the start.
 */
export class SharedInformers {
  readonly #make: MakeInformer;
  readonly #entries = new Map<string, Entry>();
  readonly #indexes = new Map<string, Map<string, IndexFunction<DeepReadonly<KubernetesObject>>>>();
  readonly #stopping = new Set<Promise<void>>();
  readonly #launched: (informer: Informer<KubernetesObject>) => void;
  #signal: AbortSignal | undefined;

  /** @param launched called when an informer begins to run. */
  constructor(make: MakeInformer, launched: (informer: Informer<KubernetesObject>) => void) {
    this.#make = make;
    this.#launched = launched;
  }

  /** All informers. */
  get all(): Informer<KubernetesObject>[] {
    return [...this.#entries.values()].map(({ informer }) => informer);
  }

  /** The informer of the kind if there is one. */
  find<T extends KubernetesObject>(kind: Kind<T>): Informer<T> | undefined {
    return this.#entries.get(informerKey(kind))?.informer as unknown as Informer<T> | undefined;
  }

  /** The informer of the kind, created if needed. This does not count as a user. */
  get<T extends KubernetesObject>(kind: Kind<T>): Informer<T> {
    const entry = this.#entry(kind, {});
    this.#launch(entry);
    return entry.informer as unknown as Informer<T>;
  }

  /**
   * Adds a user of the kind.
   * @returns a function that ends the use.
   * @throws {UsageError}, {SelectorError} if the options are invalid.
   */
  use<T extends KubernetesObject>(kind: Kind<T>, options: CacheKindOptions<T>): () => void {
    const entry = this.#entry(kind, options);
    const release = this.#retain(entry);
    this.#launch(entry);
    return release;
  }

  /** The informers of the whole kind, of its metadata and of every other projection. */
  inEveryProjection({ apiVersion, kind: name }: Kind): Informer<KubernetesObject>[] {
    return this.all.filter(({ kind }) => kind.apiVersion === apiVersion && kind.kind === name);
  }

  /** Adds an index to the informer of the kind, including one that is created later. */
  addIndex<T extends KubernetesObject>(
    kind: Kind<T>,
    name: string,
    values: IndexFunction<DeepReadonly<T>>,
  ): void {
    const key = informerKey(kind);
    const indexes = this.#indexes.get(key) ?? new Map();
    const known: unknown = indexes.get(name);
    if (known === values) return;
    if (known) {
      throw new UsageError(
        `${kind.kind} already has a different index named ${name}`,
        'Choose another name, or pass the same function.',
      );
    }
    indexes.set(name, values);
    this.#indexes.set(key, indexes);
    this.find(kind)?.addIndex(name, values);
  }

  start(signal: AbortSignal): void {
    this.#signal = signal;
    for (const entry of this.#entries.values()) this.#launch(entry);
  }

  /** Resolves when every informer has stopped. */
  async stopped(): Promise<void> {
    for (const { running } of this.#entries.values()) await running;
    await Promise.all(this.#stopping);
  }

  #entry<T extends KubernetesObject>(kind: Kind<T>, options: CacheKindOptions<T>): Entry {
    const key = informerKey(kind);
    const existing = this.#entries.get(key);
    if (existing) {
      (existing.informer as unknown as Informer<T>).configure(options);
      return existing;
    }
    const informer = this.#make(kind, () => this.#retain(entry));
    informer.configure(options);
    for (const [name, values] of this.#indexes.get(key) ?? []) informer.addIndex(name, values);
    const entry: Entry = {
      informer: informer as unknown as Informer<KubernetesObject>,
      users: 0,
      stop: new AbortController(),
      running: undefined,
    };
    // Every namespace listens to it.
    setMaxListeners(0, entry.stop.signal);
    this.#entries.set(key, entry);
    return entry;
  }

  #retain(entry: Entry): () => void {
    entry.users += 1;
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      entry.users -= 1;
      if (entry.users === 0) this.#drop(entry);
    };
  }

  #launch(entry: Entry): void {
    const signal = this.#signal;
    if (!signal || signal.aborted || entry.running) return;
    this.#launched(entry.informer);
    const stop = (): void => entry.stop.abort(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    // Not in the context of the work that happens to request it: that work ends long before the informer.
    entry.running = runInContext({}, () => entry.informer.run(entry.stop.signal)).finally(() =>
      signal.removeEventListener('abort', stop),
    );
  }

  #drop(entry: Entry): void {
    const key = informerKey(entry.informer.kind);
    if (this.#entries.get(key) === entry) this.#entries.delete(key);
    entry.stop.abort();
    entry.informer.close();
    if (!entry.running) return;
    const stopping = entry.running.finally(() => this.#stopping.delete(stopping));
    this.#stopping.add(stopping);
  }
}

/** The projection is part of the key: it has another type and other objects in memory. */
export function informerKey(kind: Kind): string {
  return `${kind.apiVersion}/${kind.kind}#${projectionText(kind) ?? ''}`;
}
