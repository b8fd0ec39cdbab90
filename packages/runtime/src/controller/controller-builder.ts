import type { Kind, KubernetesObject } from 'ots-kubernetes';
import { UsageError } from '../errors/usage-error.ts';
import type { Manager } from '../manager/manager.ts';
import type { Controller } from './controller.ts';
import { ownerRequests, requestOf } from './owner-requests.ts';
import type { Predicate } from './predicate.ts';
import type { ReconcileContext, Reconciler, Request, Result } from './reconciler.ts';
import { type MapFunction, Source } from './source.ts';

export interface WatchOptions<T extends KubernetesObject> {
  /** All of them must pass for an event to reach the controller. */
  predicates?: readonly Predicate<T>[] | undefined;
}

export interface ControllerSettings {
  /** How many objects are worked on at a time; 1 by default. */
  maxConcurrentReconciles?: number | undefined;
}

/**
 * Declares what a controller watches and adds it to a manager:
 * `new ControllerBuilder(manager).for(MyApp).owns(Deployment).complete(new MyAppReconciler(manager.client))`.
 */
export class ControllerBuilder {
  readonly #manager: Manager;
  readonly #sources: ((controller: Controller, primary: Kind | undefined) => void)[] = [];
  #primary: Kind | undefined;
  #owns = false;
  #name: string | undefined;
  #maxConcurrentReconciles = 1;

  constructor(manager: Manager) {
    this.#manager = manager;
  }

  /**
   * The kind that the controller reconciles: requests name its objects.
   * @throws {UsageError} when it is called twice.
   */
  for<T extends KubernetesObject>(kind: Kind<T>, options: WatchOptions<T> = {}): this {
    if (this.#primary) {
      throw new UsageError(
        'for was called twice on one ControllerBuilder',
        'Make a controller for each kind.',
      );
    }
    this.#primary = kind;
    return this.#watch(kind, options, () => (object) => [requestOf(object.metadata)]);
  }

  /** A kind whose objects the controller makes: their changes run the owner that controls them. */
  owns<T extends KubernetesObject>(kind: Kind<T>, options: WatchOptions<T> = {}): this {
    this.#owns = true;
    return this.#watch(kind, options, (primary) => (object) => ownerRequests(primary!, object));
  }

  /** Any other kind whose changes matter, mapped to the requests that they concern. */
  watches<T extends KubernetesObject>(
    kind: Kind<T>,
    map: MapFunction<T>,
    options: WatchOptions<T> = {},
  ): this {
    return this.#watch(kind, options, () => map);
  }

  /** The name in logs and metrics; the kind in lower case by default. */
  named(name: string): this {
    this.#name = name;
    return this;
  }

  /** @throws {UsageError} when a setting is out of range. */
  withOptions({ maxConcurrentReconciles = 1 }: ControllerSettings): this {
    if (!Number.isInteger(maxConcurrentReconciles) || maxConcurrentReconciles < 1) {
      throw new UsageError(
        `maxConcurrentReconciles is ${maxConcurrentReconciles}`,
        'Use a whole number of at least 1.',
      );
    }
    this.#maxConcurrentReconciles = maxConcurrentReconciles;
    return this;
  }

  /**
   * Makes the controller and adds it to the manager, which starts it.
   * @throws {UsageError} when nothing is watched, `owns` has no `for`, or the name is missing or taken.
   */
  complete(
    reconciler: Reconciler | ((request: Request, context: ReconcileContext) => Promise<Result | void>),
  ): Controller {
    const name = this.#name ?? this.#primary?.kind.toLowerCase();
    if (this.#sources.length === 0)
      throw new UsageError('the controller watches nothing', 'Call for or watches.');
    if (this.#owns && !this.#primary)
      throw new UsageError('owns was called without for', 'Call for with the owner.');
    if (!name) throw new UsageError('the controller has no name', 'Call named, or for.');
    const controller = this.#manager.createController({
      name,
      reconciler: typeof reconciler === 'function' ? { reconcile: reconciler } : reconciler,
      maxConcurrentReconciles: this.#maxConcurrentReconciles,
    });
    for (const addTo of this.#sources) addTo(controller, this.#primary);
    // Not before its sources are known: a manager that runs already starts it at once.
    this.#manager.add(controller);
    return controller;
  }

  #watch<T extends KubernetesObject>(
    kind: Kind<T>,
    { predicates = [] }: WatchOptions<T>,
    mapFor: (primary: Kind | undefined) => MapFunction<T>,
  ): this {
    this.#sources.push((controller, primary) => {
      const source = new Source({
        informer: this.#manager.cache.informer(kind),
        predicates,
        map: mapFor(primary),
        enqueue: (request) => controller.enqueue(request),
        onError: (error) =>
          this.#manager.logger.error(
            { err: error, controller: controller.name, kind: kind.kind },
            'mapping failed',
          ),
      });
      controller.addSource(() => source.synced());
    });
    return this;
  }
}
