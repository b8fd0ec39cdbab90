import type { Kind, KubernetesObject } from 'ots-kubernetes';
import { UsageError } from '../errors/usage-error.ts';
import { type MetadataObject, metadataOf } from '../objects/metadata-of.ts';
import type { Controller } from './controller.ts';
import type { ControllerHost } from './controller-host.ts';
import { type ControllerOptions, checkOptions } from './controller-options.ts';
import { type OwnerOptions, enqueueOwner } from './enqueue-owner.ts';
import { type WatchOptions, primarySource } from './kind-source.ts';
import { type MapFunction, requestOf } from './map-function.ts';
import type { Predicate } from './predicates.ts';
import type { ReconcileContext, Reconciler, Request, Result } from './reconciler.ts';
import type { Source } from './source.ts';

/** Creates a source when everything about its controller is known. */
type SourceMaker = (primary: Kind | undefined) => Source;

/**
 * Declares what a controller watches and adds it to a manager:
 * `new ControllerBuilder(manager).for(MyApp).owns(Deployment).complete(new MyAppReconciler(manager.client))`.
 * The calls can come in any order; nothing happens before `complete`.
 */
export class ControllerBuilder {
  readonly #manager: ControllerHost;
  readonly #sources: SourceMaker[] = [];
  readonly #filters: Predicate<KubernetesObject>[] = [];
  readonly #owned: Kind[] = [];
  #primary: Kind | undefined;
  #name: string | undefined;
  #options: ControllerOptions = {};

  constructor(manager: ControllerHost) {
    this.#manager = manager;
  }

  /**
   * The kind that the controller reconciles: requests name its objects.
   * @throws {UsageError} if it is called twice.
   */
  for<T extends KubernetesObject>(kind: Kind<T>, options: WatchOptions<T> = {}): this {
    if (this.#primary) {
      throw new UsageError(
        'for was called twice on one ControllerBuilder',
        'Create one controller per kind.',
      );
    }
    this.#primary = kind;
    this.#sources.push(() =>
      this.#source(kind, ({ metadata }) => [requestOf(metadata)], options, this.#owned),
    );
    return this;
  }

  /**
   * A kind whose objects the controller creates: their changes reconcile the owner that controls them. Use
   * `owns(metadataOf(kind))` if the controller does not read their contents from the cache. If the kind is optional
   * (`manager.cache.add`), every object of the primary kind is reconciled when it appears on the server or disappears.
   */
  owns<T extends KubernetesObject>(kind: Kind<T>, options: WatchOptions<T> & OwnerOptions = {}): this {
    this.#owned.push(kind);
    this.#sources.push((primary) => this.#source(kind, enqueueOwner(primary!, options), options));
    return this;
  }

  /** Any other kind whose changes matter, mapped to requests. */
  watches<T extends KubernetesObject>(
    kind: Kind<T>,
    map: MapFunction<T>,
    options: WatchOptions<T> = {},
  ): this {
    this.#sources.push(() => this.#source(kind, map, options));
    return this;
  }

  /** Like `watches`, but only for the metadata of the objects: less to transfer and to cache. */
  watchesMetadata(
    kind: Kind,
    map: MapFunction<MetadataObject>,
    options: WatchOptions<MetadataObject> = {},
  ): this {
    return this.watches(metadataOf(kind), map, options);
  }

  /** Requests from elsewhere: a `Channel`, `fromIterable`, or a custom source. Event filters do not apply to them. */
  watchesSource(source: Source): this {
    this.#sources.push(() => source);
    return this;
  }

  /** Predicates for the events of all kinds, in addition to those of each kind. */
  withEventFilter(...predicates: readonly Predicate<KubernetesObject>[]): this {
    this.#filters.push(...predicates);
    return this;
  }

  /** The name in logs and metrics, unique in a manager; the kind in lower case by default. */
  named(name: string): this {
    this.#name = name;
    return this;
  }

  /**
   * Sets options. If several calls set the same option, the last one wins.
   * @throws {UsageError} if an option is out of range.
   */
  withOptions(options: ControllerOptions): this {
    checkOptions(options);
    this.#options = { ...this.#options, ...options };
    return this;
  }

  /**
   * Creates the controller and adds it to the manager, which starts it.
   * @throws {UsageError} if nothing is watched, `owns` was called without `for`, or the name is missing or taken.
   */
  complete(
    reconciler: Reconciler | ((request: Request, context: ReconcileContext) => Promise<Result | void>),
  ): Controller {
    const name = this.#name ?? this.#primary?.kind.toLowerCase();
    if (this.#sources.length === 0)
      throw new UsageError('The controller watches nothing', 'Call for, watches or watchesSource.');
    if (this.#owned.length > 0 && !this.#primary)
      throw new UsageError('owns was called without for', 'Call for with the owner.');
    if (!name) throw new UsageError('The controller has no name', 'Call named, or for.');
    const controller = this.#manager.createController({
      ...this.#options,
      name,
      kind: this.#primary?.kind,
      reconciler: typeof reconciler === 'function' ? { reconcile: reconciler } : reconciler,
    });
    for (const make of this.#sources) controller.watch(make(this.#primary));
    // Only now that its sources are known: a running manager starts it at once.
    this.#manager.add(controller);
    return controller;
  }

  #source<T extends KubernetesObject>(
    kind: Kind<T>,
    map: MapFunction<T>,
    options: WatchOptions<T>,
    owned: readonly Kind[] = [],
  ): Source {
    const { predicates = [], priority } = options;
    // Declared now: the manager syncs it with the other kinds and keeps it until it stops.
    this.#manager.cache.add(kind);
    const filters = this.#filters as readonly Predicate<T>[];
    const all = { predicates: [...filters, ...predicates], priority };
    return primarySource(this.#manager.cache, kind, map, all, owned);
  }
}
