import type { Kind, KubernetesObject } from 'ots-kubernetes';
import type { CachedListOptions, WriteBase } from '../client/cached-reader.ts';
import { requiredNamespace } from '../client/resource-path.ts';
import type { Clock } from 'ots-apimachinery/clock/clock';
import { UsageError } from '../errors/usage-error.ts';
import type { Logger } from '../logging/logger.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import type { ObjectKey } from '../objects/object-key.ts';
import type { Transport } from '../transport/transport.ts';
import { CachedObjects } from './cached-objects.ts';
import type { Change } from './object-store.ts';
import type { HandlerRegistration, InformerHandler } from './informer-handler.ts';
import { InformerHandlers } from './informer-handlers.ts';
import type { InformerObserver } from './informer-observer.ts';
import { type CacheKindOptions, InformerSettings } from './informer-options.ts';
import { InformerPart } from './informer-part.ts';
import { InformerParts } from './informer-parts.ts';
import { type NamespaceFeed, wholeCluster } from './namespace-feed.ts';
import type { NamespaceSelection } from './namespace-selection.ts';
import { News, isNewer } from './news.ts';
import type { IndexFunction } from './object-indexes.ts';
import { ObjectPreparer } from './object-preparer.ts';
import type { ObjectOwnership } from './own-objects.ts';
import { OwnWrites } from './own-writes.ts';

export interface InformerOptions<T extends KubernetesObject> {
  transport: Transport;
  kind: Kind<T>;
  /** Returns the feed of the namespaces that the kind selects itself, or of the default if it selects none. */
  namespaces: (own: NamespaceSelection | undefined) => NamespaceFeed;
  /** Returns which objects are this process's own, if replicas divide the kind. Asked when the informer starts. */
  ownership?: (() => ObjectOwnership | undefined) | undefined;
  clock: Clock;
  logger: Logger;
  observer?: InformerObserver | undefined;
  /** Shows own writes before the watch delivers them; true by default. */
  readYourWrites?: boolean | undefined;
  /** Called when a handler is added; what it returns is called when that handler is removed. */
  retain?: (() => () => void) | undefined;
  /** A number in [0, 1), for jitter; `Math.random` by default. */
  random?: (() => number) | undefined;
}

/** Keeps the objects of one kind in memory and notifies handlers of changes. All controllers of a manager share it. */
export class Informer<T extends KubernetesObject> {
  /** Of the objects. */
  readonly kind: Kind<T>;
  /**
   * Resolves when every namespace was listed and the handlers have received all objects, or when the informer is
   * closed. It does not wait for namespaces that were selected at run time and that the server forbids to read.
   */
  readonly synced: Promise<void>;
  readonly #options: InformerOptions<T>;
  readonly #settings = new InformerSettings<T>();
  readonly #objects: CachedObjects<T>;
  readonly #handlers: InformerHandlers<T>;
  readonly #news = new News();
  readonly #existenceListeners = new Set<() => void>();
  #parts: InformerParts<T> | undefined;
  #writes: OwnWrites<T> | undefined;
  #ownership: ObjectOwnership | undefined;
  #isClosed = false;
  /** The existence that the listeners know. */
  #existed: boolean | undefined;
  #markSynced!: () => void;

  /** @internal */
  constructor(options: InformerOptions<T>) {
    this.#options = options;
    this.kind = options.kind;
    const { kind, clock, logger } = options;
    this.#handlers = new InformerHandlers({ kind: kind.kind, clock, logger });
    this.synced = new Promise((resolve) => {
      this.#markSynced = resolve;
    });
    this.#objects = new CachedObjects(options.kind, (namespace) => this.#parts?.of(namespace)?.version);
  }

  /** Whether it can serve reads. */
  get isSynced(): boolean {
    return this.#parts?.isSynced ?? false;
  }

  /** False when the server has no such kind, as long as the CRD of an optional one is not installed. */
  get exists(): boolean {
    return this.#parts?.exists ?? true;
  }

  /**
   * True when nothing bounds how much of the cluster is cached.
   * @internal
   */
  get isUnbounded(): boolean {
    const { labelSelector, fieldSelector, transform } = this.#settings.current;
    return this.#feed === wholeCluster && !labelSelector && !fieldSelector && !transform;
  }

  /**
   * Which objects are this process's own; undefined if it has all. Replicas divide the others.
   * @internal
   */
  get ownership(): ObjectOwnership | undefined {
    return this.#ownership;
  }

  /**
   * Why the objects are not complete and current: one text per namespace with a problem.
   * @internal
   */
  get problems(): string[] {
    return this.#parts?.problems ?? [`${this.kind.kind}.${this.kind.apiVersion} is not cached yet`];
  }

  /**
   * The problems that concern more than a namespace that was selected at run time.
   * @internal
   */
  get commonProblems(): string[] {
    return this.#parts?.commonProblems ?? this.problems;
  }

  /**
   * Whether the namespaces of the kind change at run time, and this one is not among them.
   * @internal
   */
  hasLeft(namespace: string | undefined): boolean {
    return namespace !== undefined && this.kind.scope === 'Namespaced' && !!this.#parts?.hasLeft(namespace);
  }

  /**
   * Asks the server whether it has changes that the informer has not received yet. True before the informer is synced.
   * @internal
   * @throws {ApiError}, {ConnectionError} when the server does not respond, and the signal's reason when it aborts.
   */
  async isBehind(signal: AbortSignal): Promise<boolean> {
    return this.#parts?.isBehind(signal) ?? true;
  }

  /**
   * Adds options of a user.
   * @internal
   * @throws {UsageError} if they contradict others, or the informer already runs with different ones. {SelectorError}
   *   when a selector is wrong.
   */
  configure(options: CacheKindOptions<T>): void {
    this.#settings.merge(this.kind.kind, options);
  }

  /**
   * Adds an index and replaces one of the same name. If the function throws, the error is logged and the object is not
   * indexed.
   * @internal
   */
  addIndex(name: string, values: IndexFunction<DeepReadonly<T>>): void {
    const contained = (object: T): readonly string[] => {
      try {
        return values(object as DeepReadonly<T>);
      } catch (error) {
        this.#options.logger.error({ err: error, kind: this.kind.kind, index: name }, 'index function threw');
        return [];
      }
    };
    this.#objects.store.indexes.add(name, contained, this.#objects.store.values());
  }

  /**
   * Adds a handler. A late handler is notified of the existing objects at once, as added.
   * @throws {UsageError} if the informer is closed because its last user has ended.
   */
  addHandler(handler: InformerHandler<T>): HandlerRegistration {
    if (this.#isClosed) {
      throw new UsageError(
        `The informer of ${this.kind.kind} is closed`,
        'Get a new one with cache.informer.',
      );
    }
    const release = this.#options.retain?.();
    const remove = this.#handlers.add(handler, this.#objects.store.values());
    let end!: () => void;
    const synced = new Promise<void>((resolve) => {
      end = resolve;
    });
    void this.synced.then(end);
    return {
      synced,
      [Symbol.dispose]: () => {
        remove();
        end();
        release?.();
      },
    };
  }

  /**
   * Calls back when the kind appears on the server or disappears, after the handlers were notified of its objects.
   * @internal
   * @returns a function that ends that.
   */
  onExistenceChange(listener: () => void): () => void {
    this.#existenceListeners.add(listener);
    return () => this.#existenceListeners.delete(listener);
  }

  /**
   * The object, or undefined if it does not exist.
   * @throws {NamespaceNotCachedError} when its namespace is not cached. {CacheSyncError} when its namespace was selected
   *   at run time and is not cached yet. {UsageError} when the kind is namespaced and the key has no namespace.
   */
  get({ name, namespace }: ObjectKey): DeepReadonly<T> | undefined {
    this.#checkNamespace(namespace);
    const key = { name, namespace: requiredNamespace(this.kind, this.#scoped(namespace)) };
    return this.#objects.get(key) as DeepReadonly<T> | undefined;
  }

  /**
   * The objects that the options select, in no particular order. Without a namespace, those of all cached namespaces.
   * @throws {UsageError} if the index does not exist. {NamespaceNotCachedError} if the namespace is not cached.
   *   {CacheSyncError} if the namespace was selected at run time and is not cached yet.
   */
  list(options: CachedListOptions = {}): DeepReadonly<T>[] {
    this.#checkNamespace(options.namespace);
    return this.#objects.list({
      ...options,
      namespace: this.#scoped(options.namespace),
    }) as DeepReadonly<T>[];
  }

  /**
   * Calls back when the watch delivers a change of the object, once.
   * @returns a handle that ends that; undefined if readers see another state than the base already, or the namespace is not cached.
   * @internal
   */
  onNews({ name, namespace }: ObjectKey, base: WriteBase, listener: () => void): Disposable | undefined {
    const key = { name, namespace: this.#scoped(namespace) };
    if (!this.#parts?.of(key.namespace) || isNewer(this.#objects.get(key), base)) return undefined;
    return this.#news.on(key, listener);
  }

  /**
   * Records the response to a write of this program.
   * @internal
   */
  wrote(object: KubernetesObject): void {
    if (this.#parts?.of(object.metadata.namespace)) this.#writes?.wrote(object);
  }

  /**
   * Records the deletion of an object by this program.
   * @internal
   */
  removed({ name, namespace }: ObjectKey, uid: string | undefined): void {
    this.#writes?.removed({ name, namespace: this.#scoped(namespace) }, uid);
  }

  /**
   * Runs until the signal aborts. Never rejects.
   * @internal
   */
  async run(signal: AbortSignal): Promise<void> {
    this.#settings.fix();
    this.#ownership = this.#options.ownership?.();
    const { kind, logger, readYourWrites = true } = this.#options;
    const { transform, labelSelector, fieldSelector } = this.#settings.current;
    const preparer = new ObjectPreparer({ kind, transform, logger });
    const { overlay } = this.#objects;
    if (readYourWrites) {
      const ownership = this.#ownership;
      this.#writes = new OwnWrites({
        kind,
        overlay,
        preparer,
        labelSelector,
        fieldSelector,
        ownership,
        logger,
      });
    }
    const namespaces = this.#feed;
    this.#parts = new InformerParts({
      kind,
      namespaces,
      make: (namespace) => this.#part(namespace, namespaces, preparer),
      forget: (namespace) => this.#forget(namespace),
      changed: () => this.#settled(),
    });
    await this.#parts.run(signal);
  }

  /**
   * Releases everything, after the signal of `run` has aborted.
   * @internal
   */
  close(): void {
    this.#isClosed = true;
    this.#handlers.clear();
    this.#news.clear();
    this.#existenceListeners.clear();
    this.#parts = undefined;
    this.#objects.store.replace([]);
    this.#objects.overlay.clear();
    this.#options.observer?.closed();
    this.#markSynced();
  }

  get #feed(): NamespaceFeed {
    return this.kind.scope === 'Namespaced'
      ? this.#options.namespaces(this.#settings.current.namespaces)
      : wholeCluster;
  }

  #part(namespace: string | undefined, feed: NamespaceFeed, preparer: ObjectPreparer<T>): InformerPart<T> {
    const { transport, kind, clock, logger, observer, random } = this.#options;
    const { labelSelector, fieldSelector, optional = false, watchList = false } = this.#settings.current;
    return new InformerPart({
      kind,
      selection: { namespace, labelSelector, fieldSelector, ownership: this.#ownership },
      selected:
        feed.isDynamic && namespace !== undefined ? { isEnding: () => feed.isEnding(namespace) } : undefined,
      optional,
      watchList,
      objects: this.#objects,
      preparer,
      changed: (changes) => this.#changed(changes),
      replaced: (changes, isInitial) => this.#replaced(changes, isInitial),
      left: (changes) => this.#replaced(changes, false),
      settled: () => this.#settled(),
      transport,
      clock,
      logger,
      observer,
      random,
    });
  }

  /** Cluster-scoped kinds ignore the namespace. An empty one means all, as in paths of the server. */
  #scoped(namespace: string | undefined): string | undefined {
    return this.kind.scope === 'Namespaced' ? namespace || undefined : undefined;
  }

  #checkNamespace(namespace: string | undefined): void {
    if (namespace && this.kind.scope === 'Namespaced') this.#parts?.check(namespace);
  }

  #changed(changes: Change<T>[]): void {
    this.#options.observer?.objects(this.#objects.store.size);
    this.#handlers.tell(changes);
    this.#news.tell(changes);
  }

  async #replaced(changes: Change<T>[], isInitial: boolean): Promise<void> {
    this.#options.observer?.objects(this.#objects.store.size);
    await this.#handlers.tellList(changes, isInitial);
    this.#news.tell(changes);
  }

  #forget(namespace: string): () => Promise<void> {
    const { store, overlay } = this.#objects;
    const changes = store.forget(namespace);
    overlay.forget(namespace);
    this.#options.observer?.objects(store.size);
    // Handlers that are added from now on do not receive the objects.
    const handlers = this.#handlers.current;
    return async () => {
      await this.#handlers.tellList(changes, false, handlers);
      this.#news.tell(changes);
    };
  }

  #settled(): void {
    if (!this.#parts) return;
    const { isComplete, isEmpty, isSettled } = this.#parts;
    if (!isSettled) return;
    this.#options.observer?.synced(isComplete && this.exists);
    if (isEmpty) this.#options.observer?.idle();
    this.#markSynced();
    const hasChanged = this.#existed !== undefined && this.#existed !== this.exists;
    this.#existed = this.exists;
    if (hasChanged) for (const listener of this.#existenceListeners) listener();
  }
}
