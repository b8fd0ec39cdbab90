import { setMaxListeners } from 'node:events';
import type { Kind, KubernetesObject } from 'ots-kubernetes';
import type { CachedListOptions, CachedReader } from '../client/cached-reader.ts';
import type { Clock } from '../clock/clock.ts';
import { withDeadline } from '../clock/with-deadline.ts';
import { runInContext } from '../context/work-context.ts';
import { UsageError } from '../errors/usage-error.ts';
import type { Logger } from '../logging/logger.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import { isMetadataKind, metadataOf } from '../objects/metadata-of.ts';
import type { ObjectKey } from '../objects/object-key.ts';
import type { Transport } from '../transport/transport.ts';
import { type CacheEvent, cacheEvents } from './cache-events.ts';
import { CacheSyncError } from './cache-sync-error.ts';
import { checkNamespaces } from './check-namespaces.ts';
import type { InformerObserver } from './informer-observer.ts';
import type { CacheKindOptions } from './informer-options.ts';
import { Informer } from './informer.ts';
import { KindNotCachedError } from './kind-not-cached-error.ts';
import type { IndexFunction } from './object-indexes.ts';

export interface CacheOptions {
  transport: Transport;
  /** The namespaces to watch; all when undefined. A kind may be added with others. */
  namespaces: readonly string[] | undefined;
  clock: Clock;
  logger: Logger;
  /** Makes the observer of a kind's informer. */
  observe?: ((kind: Kind) => InformerObserver) | undefined;
  /**
   * Shows what `wrote` and `removed` were told of until the watch brings it; true by default. Without it a reconciler
   * may find the state from before its own last write.
   */
  readYourWrites?: boolean | undefined;
}

/** An informer and who needs it. */
interface Entry {
  informer: Informer<KubernetesObject>;
  users: number;
  stop: AbortController;
  running: Promise<void> | undefined;
}

/** Long enough for a large cluster, short enough to notice that a CRD or a role is missing. */
const syncTimeout = 120_000;

/**
 * The objects of the kinds that were declared, in memory: by controllers that watch them, or with `add`. Strict:
 * reading any other kind is an error, never the silent start of a watch on the whole cluster.
 *
 * What it returns is shared by all readers and read-only; copy it (`structuredClone`) to change it. It trails the
 * server by the time that an event takes, but for this program's own writes, which are seen at once.
 */
export class Cache implements CachedReader {
  readonly #options: CacheOptions;
  readonly #entries = new Map<string, Entry>();
  readonly #indexes = new Map<string, Map<string, IndexFunction<DeepReadonly<KubernetesObject>>>>();
  readonly #stopping = new Set<Promise<void>>();
  #signal: AbortSignal | undefined;

  /**
   * For the manager, which makes it.
   * @throws {UsageError} when the list of namespaces is empty, or has one in it that cannot be.
   * @internal
   */
  constructor(options: CacheOptions) {
    checkNamespaces(options.namespaces);
    this.#options = options;
  }

  /**
   * Declares a kind, and what of it to cache. Users of one kind share one watch: those that ask for nothing accept
   * what others ask for. While the cache runs, the kind is there when `informer(kind).synced` resolves.
   * @returns a handle that ends the use. The watch ends and the memory is freed when all users of the kind have.
   * @throws {UsageError} when other users of the kind ask for something else. {SelectorError} when a selector is wrong.
   */
  add<T extends KubernetesObject>(kind: Kind<T>, options: CacheKindOptions<T> = {}): Disposable {
    const entry = this.#entry(kind, options);
    const release = this.#retain(entry);
    this.#launch(entry);
    return { [Symbol.dispose]: release };
  }

  /**
   * Makes objects of the kind available by values: `addIndex(Pod, 'node', (pod) => [pod.spec?.nodeName ?? ''])`, then
   * `list(Pod, { index: { node: 'n1' } })`. It may come before the kind is declared. The function must depend on
   * nothing but the object. Adding the same function again does nothing.
   * @throws {UsageError} when the kind has an index of this name by another function.
   */
  addIndex<T extends KubernetesObject>(
    kind: Kind<T>,
    name: string,
    values: (object: DeepReadonly<T>) => readonly string[],
  ): void {
    const key = informerKey(kind);
    const indexes = this.#indexes.get(key) ?? new Map();
    const known: unknown = indexes.get(name);
    if (known === values) return;
    if (known) {
      throw new UsageError(
        `${kind.kind} has another index named ${name} already`,
        'Choose another name, or give both the very same function.',
      );
    }
    indexes.set(name, values);
    this.#indexes.set(key, indexes);
    (this.#entries.get(key)?.informer as Informer<T> | undefined)?.addIndex(name, values);
  }

  /**
   * The object, or undefined when there is none of this name.
   * @throws {KindNotCachedError} when nobody declared the kind. {NamespaceNotCachedError} when its namespace is not
   *   cached. {CacheSyncError} before the cache is filled.
   */
  get<T extends KubernetesObject>(kind: Kind<T>, key: ObjectKey): DeepReadonly<T> | undefined {
    return this.#synced(kind).get(key);
  }

  /**
   * The objects of the kind, in no particular order.
   * @throws {KindNotCachedError} when nobody declared the kind. {NamespaceNotCachedError} when the namespace is not
   *   cached. {CacheSyncError} before the cache is filled. {UsageError} when there is no such index. {SelectorError}
   *   when the selector is wrong.
   */
  list<T extends KubernetesObject>(kind: Kind<T>, options: CachedListOptions = {}): DeepReadonly<T>[] {
    return this.#synced(kind).list(options);
  }

  /** Shows the object to readers until the watch has come as far. It is the cache's from then on. */
  wrote(kind: Kind, object: KubernetesObject): void {
    for (const informer of this.#informersOf(kind)) informer.wrote(object);
  }

  /** Hides the object from readers until the watch has brought its end. */
  removed(kind: Kind, key: ObjectKey, uid: string | undefined): void {
    for (const informer of this.#informersOf(kind)) informer.removed(key, uid);
  }

  /**
   * The informer of the kind: made when it is first asked for, started with the cache. Its handlers are users of the
   * kind as those who call `add` are.
   */
  informer<T extends KubernetesObject>(kind: Kind<T>): Informer<T> {
    const entry = this.#entry(kind, {});
    this.#launch(entry);
    return entry.informer as unknown as Informer<T>;
  }

  /**
   * What happens to the objects of the kind, beginning with those that are there, until the signal aborts. A slow
   * reader misses intermediate states of an object, never the last one. Declares the kind for as long as it is read.
   */
  async *events<T extends KubernetesObject>(
    kind: Kind<T>,
    { signal }: { signal: AbortSignal },
  ): AsyncGenerator<CacheEvent<T>, void> {
    yield* cacheEvents(this.informer(kind), signal);
  }

  /**
   * Starts every informer. They run until the signal aborts; `stopped` waits for that.
   * @internal
   */
  start(signal: AbortSignal): void {
    this.#signal = signal;
    for (const entry of this.#entries.values()) this.#launch(entry);
  }

  /**
   * Resolves when every informer has stopped.
   * @internal
   */
  async stopped(): Promise<void> {
    for (const { running } of this.#entries.values()) await running;
    await Promise.all(this.#stopping);
  }

  /**
   * Resolves when every informer has its objects and its handlers have seen them.
   * @throws {CacheSyncError} when that takes more than two minutes.
   * @internal
   */
  async synced(signal: AbortSignal): Promise<void> {
    await withDeadline(
      this.#options.clock,
      syncTimeout,
      signal,
      () => this.#syncError(),
      (deadline) =>
        new Promise<void>((resolve, reject) => {
          deadline.addEventListener('abort', () => reject(deadline.reason), { once: true });
          const all = [...this.#entries.values()].map(({ informer }) => informer.synced);
          void Promise.all(all).then(() => resolve());
        }),
    );
  }

  /**
   * What keeps the cache from being complete and current: a text for each kind and namespace that says why and since
   * when. Empty when all is well. Short interruptions of a filled cache are no problem, and optional kinds that do
   * not exist are none.
   */
  problems(): string[] {
    return [...this.#entries.values()].flatMap(({ informer }) => informer.problems);
  }

  #entry<T extends KubernetesObject>(kind: Kind<T>, options: CacheKindOptions<T>): Entry {
    const key = informerKey(kind);
    const existing = this.#entries.get(key);
    if (existing) {
      (existing.informer as unknown as Informer<T>).configure(options);
      return existing;
    }
    const { transport, namespaces, clock, logger, observe, readYourWrites } = this.#options;
    const informer = new Informer<T>({
      transport,
      kind,
      namespaces,
      clock,
      logger,
      observer: observe?.(kind),
      readYourWrites,
      retain: () => this.#retain(entry),
    });
    informer.configure(options);
    for (const [name, values] of this.#indexes.get(key) ?? []) informer.addIndex(name, values);
    const entry: Entry = {
      informer: informer as unknown as Informer<KubernetesObject>,
      users: 0,
      stop: new AbortController(),
      running: undefined,
    };
    // Each namespace listens to it.
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
    this.#warnOfSecrets(entry.informer);
    const stop = (): void => entry.stop.abort(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    // Not under the work that happens to ask for it, which ends long before the informer does.
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

  /** An operator that needs three Secrets and caches all of a cluster's runs out of memory in the largest clusters. */
  #warnOfSecrets({ kind, isUnbounded }: Informer<KubernetesObject>): void {
    const isLarge = kind.group === '' && (kind.kind === 'Secret' || kind.kind === 'ConfigMap');
    if (!isLarge || !isUnbounded || isMetadataKind(kind)) return;
    this.#options.logger.warn(
      { kind: kind.kind },
      `every ${kind.kind} of the cluster is cached: use cache.add with namespaces, a labelSelector or a transform, or metadataOf(${kind.kind})`,
    );
  }

  /**
   * A write of an object changes its metadata as well; one that saw only metadata tells nothing of the rest. The cache
   * of metadata comes first: it takes a copy, before the transform of the other changes the object.
   */
  #informersOf(kind: Kind): Informer<KubernetesObject>[] {
    const keys = isMetadataKind(kind)
      ? [informerKey(kind)]
      : [informerKey(metadataOf(kind)), informerKey(kind)];
    return keys.map((key) => this.#entries.get(key)?.informer).filter((informer) => informer !== undefined);
  }

  #synced<T extends KubernetesObject>(kind: Kind<T>): Informer<T> {
    const informer = this.#entries.get(informerKey(kind))?.informer;
    if (!informer) throw new KindNotCachedError(kind);
    if (!informer.isSynced) {
      throw new CacheSyncError(
        `the cache of ${kind.kind} is not filled yet`,
        'Read it from a reconciler, or after manager.ready; manager.apiReader works at any time.',
      );
    }
    return informer as unknown as Informer<T>;
  }

  #syncError(): CacheSyncError {
    return new CacheSyncError(
      `the cache did not fill within ${syncTimeout / 1000} s: ${this.problems().join(', ')}`,
      'Install the CRDs, and grant list and watch on these kinds to the operator.',
    );
  }
}

function informerKey(kind: Kind): string {
  return `${kind.apiVersion}/${kind.kind}${isMetadataKind(kind) ? '#metadata' : ''}`;
}
