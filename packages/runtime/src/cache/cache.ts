import type { Kind, KubernetesObject } from 'ots-kubernetes';
import type { CachedListOptions, CachedReader } from '../client/cached-reader.ts';
import type { Clock } from '../clock/clock.ts';
import { withDeadline } from '../clock/with-deadline.ts';
import type { Logger } from '../logging/logger.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import { isMetadataKind } from '../objects/metadata-of.ts';
import type { ObjectKey } from '../objects/object-key.ts';
import { projectionText } from '../objects/projection-of.ts';
import type { Transport } from '../transport/transport.ts';
import { CacheSyncError, KindNotCachedError } from './cache-errors.ts';
import { type CacheEvent, cacheEvents } from './cache-events.ts';
import { checkNamespaces } from './check-namespaces.ts';
import { Informer } from './informer.ts';
import type { InformerObserver } from './informer-observer.ts';
import type { CacheKindOptions } from './informer-options.ts';
import { SharedInformers } from './shared-informers.ts';

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

/** After so long it is said what the start waits for, and for how long it will. */
const patience = 10_000;
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
  readonly #informers: SharedInformers;

  /**
   * For the manager, which makes it.
   * @throws {UsageError} when the list of namespaces is empty, or has one in it that cannot be.
   * @internal
   */
  constructor(options: CacheOptions) {
    checkNamespaces(options.namespaces);
    this.#options = options;
    const { transport, namespaces, clock, logger, observe, readYourWrites } = options;
    this.#informers = new SharedInformers(
      (kind, retain) =>
        new Informer({
          transport,
          kind,
          namespaces,
          clock,
          logger,
          observer: observe?.(kind),
          readYourWrites,
          retain,
        }),
      (informer) => this.#warnOfSecrets(informer),
    );
  }

  /**
   * Declares a kind, and what of it to cache. Users of one kind share one watch: those that ask for nothing accept
   * what others ask for. While the cache runs, the kind is there when `informer(kind).synced` resolves.
   * @returns a handle that ends the use. The watch ends and the memory is freed when all users of the kind have.
   * @throws {UsageError} when other users of the kind ask for something else. {SelectorError} when a selector is wrong.
   */
  add<T extends KubernetesObject>(kind: Kind<T>, options: CacheKindOptions<T> = {}): Disposable {
    return { [Symbol.dispose]: this.#informers.use(kind, options) };
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
    this.#informers.addIndex(kind, name, values);
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

  /**
   * Shows a copy of the object to readers until the watch has come as far. Readers of all projections of the kind see
   * it, but for a write that was answered with metadata alone: that tells nothing of the rest.
   */
  wrote(kind: Kind, object: KubernetesObject): void {
    if (isMetadataKind(kind)) return this.#informers.find(kind)?.wrote(object);
    for (const informer of this.#informers.inEveryProjection(kind)) informer.wrote(object);
  }

  /** Hides the object from readers until the watch has brought its end. */
  removed(kind: Kind, key: ObjectKey, uid: string | undefined): void {
    for (const informer of this.#informers.inEveryProjection(kind)) informer.removed(key, uid);
  }

  /**
   * The informer of the kind: made when it is first asked for, started with the cache. Its handlers are users of the
   * kind as those who call `add` are.
   */
  informer<T extends KubernetesObject>(kind: Kind<T>): Informer<T> {
    return this.#informers.get(kind);
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
    this.#informers.start(signal);
  }

  /**
   * Resolves when every informer has stopped.
   * @internal
   */
  async stopped(): Promise<void> {
    await this.#informers.stopped();
  }

  /**
   * Resolves when every informer has its objects and its handlers have seen them.
   * @throws {CacheSyncError} when that takes more than two minutes.
   * @internal
   */
  async synced(signal: AbortSignal): Promise<void> {
    const { clock, logger } = this.#options;
    const remark = clock.setTimeout(() => {
      const details = { waitingFor: this.problems(), seconds: (syncTimeout - patience) / 1000 };
      logger.info(details, 'the cache is not filled yet; the start waits for it, and then fails');
    }, patience);
    try {
      await this.#filled(signal);
    } finally {
      clock.clearTimeout(remark);
    }
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
          const all = this.#informers.all.map((informer) => informer.synced);
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
    return this.#informers.all.flatMap((informer) => informer.problems);
  }

  /**
   * The names of the kinds of which the server has changes that the cache does not know of yet.
   * @internal
   * @throws {ApiError}, {ConnectionError} when the server does not answer, and the signal's reason when it aborts.
   */
  async behind(signal: AbortSignal): Promise<string[]> {
    const ask = async (informer: Informer<KubernetesObject>): Promise<string[]> =>
      (await informer.isBehind(signal)) ? [`${informer.kind.kind}.${informer.kind.apiVersion}`] : [];
    return (await Promise.all(this.#informers.all.map(ask))).flat();
  }

  /** An operator that needs three Secrets and caches all of a cluster's runs out of memory in the largest clusters. */
  #warnOfSecrets({ kind, isUnbounded }: Informer<KubernetesObject>): void {
    const isLarge = kind.group === '' && (kind.kind === 'Secret' || kind.kind === 'ConfigMap');
    if (!isLarge || !isUnbounded || projectionText(kind) !== undefined) return;
    this.#options.logger.warn(
      { kind: kind.kind },
      `every ${kind.kind} of the cluster is cached: use cache.add with namespaces, a labelSelector or a transform, or metadataOf(${kind.kind})`,
    );
  }

  #synced<T extends KubernetesObject>(kind: Kind<T>): Informer<T> {
    const informer = this.#informers.find(kind);
    if (!informer) throw new KindNotCachedError(kind);
    if (!informer.isSynced) {
      throw new CacheSyncError(
        `the cache of ${kind.kind} is not filled yet`,
        'Read it from a reconciler, or after manager.ready; manager.apiReader works at any time.',
      );
    }
    return informer;
  }

  #syncError(): CacheSyncError {
    return new CacheSyncError(
      `the cache did not fill within ${syncTimeout / 1000} s: ${this.problems().join(', ')}`,
      'Install the CRDs (npm run install:crds), and grant list and watch on these kinds (@rbac) to the operator.',
    );
  }
}
