import type { Kind, KubernetesObject } from 'ots-kubernetes';
import { UsageError } from '../errors/usage-error.ts';
import { type MetadataObject, metadataOf } from '../objects/metadata-of.ts';
import type { Cache } from '../cache/cache.ts';
import type { Controller } from './controller.ts';
import type { ControllerHost } from './controller-host.ts';
import { type ControllerOptions, checkOptions } from './controller-options.ts';
import { type OwnerOptions, enqueueOwner } from './enqueue-owner.ts';
import { type WatchOptions, kindSource, primarySource } from './kind-source.ts';
import type { MapFunction } from './map-function.ts';
import { PausableReconciler } from './pausable-reconciler.ts';
import { Pause, type PauseOptions } from './pause.ts';
import type { Predicate } from './predicates.ts';
import type { ReconcileContext, Reconciler, Request, Result } from './reconciler.ts';
import { reconcilerName } from './reconciler-name.ts';
import { type ReferenceFunction, enqueueReferrers } from './references.ts';
import type { Source } from './source.ts';

/** Creates a source when everything about its controller, which has this name, is known. */
type SourceMaker = (primary: Kind | undefined, name: string) => Source;

/**
 * Declares what a controller watches and adds it to a manager:
 * `new ControllerBuilder(manager).for(MyApp).owns(Deployment).complete(new MyAppReconciler(manager.client))`.
 * The calls can come in any order, except that `references` needs the type of `for`; nothing happens before `complete`.
 */
export class ControllerBuilder<P extends KubernetesObject = KubernetesObject> {
  readonly #manager: ControllerHost;
  readonly #sources: SourceMaker[] = [];
  readonly #filters: Predicate<KubernetesObject>[] = [];
  readonly #owned: Kind[] = [];
  /** The methods that make sense only with a primary kind, as they were called. */
  readonly #dependents: string[] = [];
  #primary: Kind | undefined;
  #pause: Pause | undefined;
  #name: string | undefined;
  #options: ControllerOptions = {};

  constructor(manager: ControllerHost) {
    this.#manager = manager;
  }

  /**
   * The kind that the controller reconciles: requests name its objects.
   * @throws {UsageError} if it is called twice.
   */
  for<T extends KubernetesObject>(kind: Kind<T>, options: WatchOptions<T> = {}): ControllerBuilder<T> {
    if (this.#primary) {
      throw new UsageError(
        'for was called twice on one ControllerBuilder',
        'Create one controller per kind.',
      );
    }
    this.#primary = kind;
    this.#sources.push(() => {
      const filtered = this.#filtered(options, this.#pause);
      return this.#sourceOf(kind, (cache) => primarySource(cache, kind, filtered, this.#owned));
    });
    return this as unknown as ControllerBuilder<T>;
  }

  /**
   * A kind whose objects the controller creates: their changes reconcile the owner that controls them. Use
   * `owns(metadataOf(kind))` if the controller does not read their contents from the cache. If the kind is optional
   * (`manager.cache.add`), every object of the primary kind is reconciled when it appears on the server or disappears.
   */
  owns<T extends KubernetesObject>(kind: Kind<T>, options: WatchOptions<T> & OwnerOptions = {}): this {
    this.#owned.push(kind);
    this.#dependents.push('owns');
    this.#sources.push((primary) => this.#source(kind, () => enqueueOwner(primary!, options), options));
    return this;
  }

  /**
   * A kind that objects of the primary kind refer to, such as Secrets: an object that appears, changes or disappears
   * reconciles those that refer to it. `references(Secret, (app) => app.spec.tlsSecret)`, after `for`. Use
   * `references(metadataOf(kind), …)` if the controller does not read the contents from the cache.
   * @param names returns what an object refers to: names in its own namespace, keys, or nothing.
   */
  references<T extends KubernetesObject>(
    kind: Kind<T>,
    names: ReferenceFunction<P>,
    options: WatchOptions<T> = {},
  ): this {
    const number = this.#dependents.push('references');
    this.#sources.push((primary, name) => {
      const index = `runtime.ots/references/${name}/${number}`;
      const referrers = { primary: primary as Kind<P>, kind, references: names, index };
      return this.#source(kind, (cache) => enqueueReferrers(cache, referrers), options);
    });
    return this;
  }

  /**
   * Objects with this annotation are not reconciled, whatever asks for it, unless its value is `false`. Adding and
   * removing it passes predicates and event filters that ignore annotations; an event of the object announces both. A
   * reconcile that already runs continues.
   * @param annotation such as `example.com/paused`.
   * @throws {UsageError} if the annotation is not a qualified name, or the method is called twice.
   */
  pausedBy(annotation: string, options?: PauseOptions): this {
    if (this.#pause) {
      throw new UsageError('pausedBy was called twice on one ControllerBuilder', 'Choose one annotation.');
    }
    this.#pause = new Pause(annotation, options);
    this.#dependents.push('pausedBy');
    return this;
  }

  /** Any other kind whose changes matter, mapped to requests. */
  watches<T extends KubernetesObject>(
    kind: Kind<T>,
    map: MapFunction<T>,
    options: WatchOptions<T> = {},
  ): this {
    this.#sources.push(() => this.#source(kind, () => map, options));
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
   * @throws {UsageError} if nothing is watched, a method that needs `for` was called without it, or the name is missing
   *   or taken.
   */
  complete(
    reconciler: Reconciler | ((request: Request, context: ReconcileContext) => Promise<Result | void>),
  ): Controller {
    const name = this.#name ?? this.#primary?.kind.toLowerCase();
    const [dependent] = this.#dependents;
    if (dependent !== undefined && !this.#primary)
      throw new UsageError(`${dependent} was called without for`, 'Call for with the kind to reconcile.');
    if (this.#sources.length === 0)
      throw new UsageError('The controller watches nothing', 'Call for, watches or watchesSource.');
    if (!name) throw new UsageError('The controller has no name', 'Call named, or for.');
    const primary = this.#primary;
    const own = typeof reconciler === 'function' ? { reconcile: reconciler } : reconciler;
    const controller = this.#manager.createController({
      ...this.#options,
      name,
      primary,
      hasLeft:
        primary &&
        (({ cluster, namespace }) =>
          this.#manager.clusterOf(cluster)?.cache.hasLeft(primary, namespace) ?? false),
      reconciler: this.#pausable(own, name),
      author: reconcilerName(own, name),
    });
    for (const make of this.#sources) controller.watch(make(primary, name));
    // Only now that its sources are known: a running manager starts it at once.
    this.#manager.add(controller);
    return controller;
  }

  #pausable(reconciler: Reconciler, name: string): Reconciler {
    if (!this.#pause || !this.#primary) return reconciler;
    return new PausableReconciler(reconciler, {
      kind: this.#primary,
      controller: name,
      clusterOf: (cluster) => this.#manager.clusterOf(cluster),
      pause: this.#pause,
    });
  }

  #source<T extends KubernetesObject>(
    kind: Kind<T>,
    mapIn: (cache: Cache) => MapFunction<T>,
    options: WatchOptions<T>,
  ): Source {
    const filtered = this.#filtered(options);
    return this.#sourceOf(kind, (cache) => kindSource(cache, kind, mapIn(cache), filtered));
  }

  /** Declares the kind now: the manager syncs it with the other kinds and keeps it until it stops. */
  #sourceOf(kind: Kind, make: (cache: Cache) => Source): Source {
    this.#manager.cache.add(kind);
    return this.#manager.sourceOf(kind, make);
  }

  #filtered<T extends KubernetesObject>(
    { predicates = [], priority }: WatchOptions<T>,
    pause?: Pause,
  ): WatchOptions<T> {
    const filters = this.#filters as readonly Predicate<T>[];
    const all = [...filters, ...predicates];
    return { predicates: pause ? [pause.within(all)] : all, priority };
  }
}
