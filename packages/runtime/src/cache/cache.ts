import type { Kind, KubernetesObject } from 'ots-kubernetes';
import type { CachedListOptions, CachedReader, WriteBase } from '../client/cached-reader.ts';
import type { Clock } from 'ots-apimachinery/clock/clock';
import { withDeadline } from '../clock/with-deadline.ts';
import type { Logger } from '../logging/logger.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import { isMetadataKind } from '../objects/metadata-of.ts';
import { type ObjectKey, keyOf } from '../objects/object-key.ts';
import { projectionText } from '../objects/projection-of.ts';
import type { Transport } from '../transport/transport.ts';
import { CacheSyncError, KindNotCachedError, ObjectNotCachedError } from './cache-errors.ts';
import { type CacheEvent, cacheEvents } from './cache-events.ts';
import { Informer } from './informer.ts';
import type { InformerObserver } from './informer-observer.ts';
import type { CacheKindOptions } from './informer-options.ts';
import { NamespaceFeeds } from './namespace-feeds.ts';
import type { ObjectOwnership } from './own-objects.ts';
import type { NamespaceOwnership } from './own-namespaces.ts';
import { type NamespaceSelection, checkNamespaces } from './namespace-selection.ts';
import { NamespaceMetadata } from './selected-namespaces.ts';
import { SharedInformers, informerKey } from './shared-informers.ts';

export interface CacheOptions {
  transport: Transport;
  /** The namespaces to watch; all if undefined. A kind can be added with different ones. */
  namespaces: NamespaceSelection | undefined;
  /** Leaves the namespaces of other processes out; see `ShardingOptions.divideCache`. */
  ownership?: NamespaceOwnership | undefined;
  /** Leaves the objects of other processes out of the kinds of `divide`. */
  objectOwnership?: ObjectOwnership | undefined;
  clock: Clock;
  logger: Logger;
  /** Makes the observer of a kind's informer. */
  observe?: ((kind: Kind) => InformerObserver) | undefined;
  /**
   * Shows what `wrote` and `removed` received until the watch delivers it; true by default. Without it, a reconciler
   * may read the state from before its own last write.
   */
  readYourWrites?: boolean | undefined;
}

/** After this time the log says what startup waits for, and for how long. */
const warnAfterMs = 10_000;
/** Long enough for a large cluster, short enough to notice that a CRD or a role is missing. */
const syncTimeout = 120_000;

/**
 * An in-memory copy of the objects of the declared kinds. Controllers declare what they watch; `add` declares other
 * kinds. Reading a kind that is not declared is an error: the cache never silently starts a watch of the whole cluster.
 *
 * Returned objects are shared by all readers and read-only; copy one (`structuredClone`) to change it. The cache lags
 * behind the server by the time that an event takes, except for this program's own writes, which are visible at once.
 */
export class Cache implements CachedReader {
  readonly #options: CacheOptions;
  readonly #informers: SharedInformers;
  readonly #feeds: NamespaceFeeds;
  /** The kinds of which it has only its own objects. */
  readonly #divided = new Set<string>();

  /**
   * For the manager, which creates it.
   * @throws {UsageError} if the list of namespaces is empty or contains an invalid name.
   * @internal
   */
  constructor(options: CacheOptions) {
    checkNamespaces(options.namespaces);
    this.#options = options;
    this.#feeds = new NamespaceFeeds(() => this.#informer(NamespaceMetadata), options.ownership);
    this.#informers = new SharedInformers(
      (kind, retain) => this.#informer(kind, retain),
      (informer) => this.#warnOfSecrets(informer),
    );
  }

  #informer<T extends KubernetesObject>(kind: Kind<T>, retain?: () => () => void): Informer<T> {
    const { transport, namespaces, objectOwnership, clock, logger, observe, readYourWrites } = this.#options;
    return new Informer({
      transport,
      kind,
      namespaces: (own) => this.#feeds.of(own ?? namespaces),
      ownership: () => (this.#divided.has(informerKey(kind)) ? objectOwnership : undefined),
      clock,
      random: transport.random,
      logger,
      observer: observe?.(kind),
      readYourWrites,
      retain,
    });
  }

  /**
   * Declares a kind and what to cache of it. All users of a kind share one watch: a user without options accepts the
   * options of the others. If the cache already runs, the kind can be read when `informer(kind).synced` resolves.
   * @returns a handle that ends the use. The watch stops and its memory is freed when the last user has ended it.
   * @throws {UsageError} if other users of the kind passed different options. {SelectorError} if a selector is invalid.
   */
  add<T extends KubernetesObject>(kind: Kind<T>, options: CacheKindOptions<T> = {}): Disposable {
    return { [Symbol.dispose]: this.#informers.use(kind, options) };
  }

  /**
   * Adds an index by which objects of the kind can be listed: `addIndex(Pod, 'node', (pod) => [pod.spec?.nodeName ??
   * ''])`, then `list(Pod, { index: { node: 'n1' } })`. It can be called before the kind is declared. The function must
   * depend only on the object. Adding the same function again does nothing.
   * @throws {UsageError} if the kind has an index of this name with another function.
   */
  addIndex<T extends KubernetesObject>(
    kind: Kind<T>,
    name: string,
    values: (object: DeepReadonly<T>) => readonly string[],
  ): void {
    this.#informers.addIndex(kind, name, values);
  }

  /**
   * The object, or undefined if it does not exist.
   * @throws {KindNotCachedError} if the kind is not declared.
   * {NamespaceNotCachedError} when its namespace is not cached. {CacheSyncError} before the cache is filled.
   */
  get<T extends KubernetesObject>(kind: Kind<T>, key: ObjectKey): DeepReadonly<T> | undefined {
    return this.#synced(kind).get(key);
  }

  /**
   * The objects of the kind, in no particular order.
   * @throws {KindNotCachedError} if the kind is not declared. {NamespaceNotCachedError} when the namespace is not
   *   cached. {CacheSyncError} before the cache is synced. {UsageError} if the index does not exist. {SelectorError} if
   *   the selector is invalid.
   */
  list<T extends KubernetesObject>(kind: Kind<T>, options: CachedListOptions = {}): DeepReadonly<T>[] {
    return this.#synced(kind).list(options);
  }

  /**
   * Shows a copy of the object to readers until the watch has caught up. Readers of all projections of the kind see it,
   * unless the response to the write had only metadata, which says nothing about the rest.
   */
  wrote(kind: Kind, object: KubernetesObject): void {
    if (isMetadataKind(kind)) return this.#informers.find(kind)?.wrote(object);
    for (const informer of this.#informers.inEveryProjection(kind)) informer.wrote(object);
  }

  /** Hides the object from readers until the watch has delivered its deletion. */
  removed(kind: Kind, key: ObjectKey, uid: string | undefined): void {
    for (const informer of this.#informers.inEveryProjection(kind)) informer.removed(key, uid);
  }

  /** See `CachedReader.onNews`. */
  onNews(kind: Kind, key: ObjectKey, base: WriteBase, listener: () => void): Disposable | undefined {
    const informer = this.#informers.find(kind);
    return informer?.isSynced ? informer.onNews(key, base, listener) : undefined;
  }

  /**
   * Keeps only this process's own objects of the kind, if the replicas divide objects and the kind is not watched yet.
   * @internal
   */
  divide(kind: Kind): void {
    this.#divided.add(informerKey(kind));
  }

  /** See `CachedReader.ownerCheck`: it throws an `ObjectNotCachedError`. */
  ownerCheck(kind: Kind): ((object: KubernetesObject) => void) | undefined {
    const ownership = this.#informers.find(kind)?.ownership;
    if (!ownership) return undefined;
    return (object) => {
      if (!ownership.owns(object.metadata.uid ?? '')) throw new ObjectNotCachedError(kind, keyOf(object));
    };
  }

  /**
   * Whether the namespaces of the kind change at run time, and this one is not among them.
   * @internal
   */
  hasLeft(kind: Kind, namespace: string | undefined): boolean {
    return this.#informers.find(kind)?.hasLeft(namespace) ?? false;
  }

  /**
   * The informer of the kind. It is created on the first call and starts with the cache. Its handlers count as users of
   * the kind, like callers of `add`.
   */
  informer<T extends KubernetesObject>(kind: Kind<T>): Informer<T> {
    return this.#informers.get(kind);
  }

  /**
   * Yields what happens to the objects of the kind, starting with those that exist, until the signal aborts. A slow
   * reader misses intermediate states of an object, but never the last one. Declares the kind while it is read.
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
    this.#informers.start(signal);
  }

  /**
   * Resolves when every informer has stopped.
   * @internal
   */
  async stopped(): Promise<void> {
    await this.#informers.stopped();
    await this.#feeds.stopped();
  }

  /**
   * Resolves when every informer has its objects and its handlers have seen them.
   * @throws {CacheSyncError} when that takes more than two minutes.
   * @internal
   */
  async synced(signal: AbortSignal): Promise<void> {
    const { clock, logger } = this.#options;
    const warning = clock.setTimeout(() => {
      const details = { waitingFor: this.problems(), seconds: (syncTimeout - warnAfterMs) / 1000 };
      logger.info(details, 'caches not synced yet; startup waits and then fails');
    }, warnAfterMs);
    try {
      await this.#filled(signal);
    } finally {
      clock.clearTimeout(warning);
    }
  }

  /**
   * Resolves when every informer of now has its objects, however long that takes.
   * @internal
   */
  async filled(): Promise<void> {
    await Promise.all(this.#informers.all.map((informer) => informer.synced));
  }

  #filled(signal: AbortSignal): Promise<void> {
    return withDeadline(
      this.#options.clock,
      syncTimeout,
      signal,
      () => this.#syncError(),
      (deadline) =>
        new Promise<void>((resolve, reject) => {
          deadline.addEventListener('abort', () => reject(deadline.reason), { once: true });
          void this.filled().then(resolve);
        }),
    );
  }

  /**
   * Why the cache is not complete and current: one text per kind and namespace, with the reason and the duration. Empty
   * if there is no problem. Short interruptions of a synced cache and missing optional kinds do not count.
   */
  problems(): string[] {
    return this.#all.flatMap((informer) => informer.problems);
  }

  /**
   * The problems for which the operator is not ready: as `problems`, without those of single namespaces that were
   * selected at run time.
   * @internal
   */
  commonProblems(): string[] {
    return this.#all.flatMap((informer) => informer.commonProblems);
  }

  get #all(): Informer<KubernetesObject>[] {
    return [...this.#feeds.informers, ...this.#informers.all];
  }

  /**
   * The names of the kinds with changes on the server that the cache has not received yet.
   * @internal
   * @throws {ApiError}, {ConnectionError} when the server does not respond, and the signal's reason when it aborts.
   */
  async behind(signal: AbortSignal): Promise<string[]> {
    const ask = async (informer: Informer<KubernetesObject>): Promise<string[]> =>
      (await informer.isBehind(signal)) ? [`${informer.kind.kind}.${informer.kind.apiVersion}`] : [];
    return (await Promise.all(this.#all.map(ask))).flat();
  }

  /** An operator that needs three Secrets but caches all of them runs out of memory in large clusters. */
  #warnOfSecrets({ kind, isUnbounded }: Informer<KubernetesObject>): void {
    const isLarge = kind.group === '' && (kind.kind === 'Secret' || kind.kind === 'ConfigMap');
    if (!isLarge || !isUnbounded || projectionText(kind) !== undefined) return;
    this.#options.logger.warn(
      { kind: kind.kind },
      `caching every ${kind.kind} of the cluster; limit it with cache.add (namespaces, labelSelector, transform) or metadataOf(${kind.kind})`,
    );
  }

  #synced<T extends KubernetesObject>(kind: Kind<T>): Informer<T> {
    const informer = this.#informers.find(kind);
    if (!informer) throw new KindNotCachedError(kind);
    if (!informer.isSynced) {
      throw new CacheSyncError(
        `The cache of ${kind.kind} is not synced yet`,
        'Read it from a reconciler, or after manager.ready; manager.apiReader works at any time.',
      );
    }
    return informer;
  }

  #syncError(): CacheSyncError {
    return new CacheSyncError(
      `The caches did not sync within ${syncTimeout / 1000} s: ${this.problems().join(', ')}`,
      'Install the CRDs (npm run install:crds), and grant list and watch on these kinds (@rbac) to the operator.',
    );
  }
}
