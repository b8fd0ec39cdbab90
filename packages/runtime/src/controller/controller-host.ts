import type { Kind } from 'ots-kubernetes';
import type { Cache } from '../cache/cache.ts';
import type { EventRecorder } from '../events/event-recorder.ts';
import type { Controller, ControllerConfig } from './controller.ts';
import type { ControllerOptions } from './controller-options.ts';
import type { Source } from './source.ts';

/** What the author of a controller states about it, and which clusters it works for. */
export interface NewController
  extends
    Pick<ControllerConfig, 'name' | 'reconciler' | 'author' | 'hasLeft' | 'hasCluster'>,
    ControllerOptions {
  /** That of the objects that requests name; undefined if they need not be of one kind. */
  primary?: Kind | undefined;
}

/** What a controller uses of the cluster of a request. */
export interface ControllerCluster {
  readonly cache: Cache;
  /**
   * Returns the recorder of the controller's events.
   * @throws {UsageError} if events cannot have this name.
   */
  eventRecorder(controller: string): EventRecorder;
}

/** What `ControllerBuilder` needs: a `Manager` has it, and so have `Clusters`. */
export interface ControllerHost {
  /** Keeps the kinds that the controller watches. */
  readonly cache: Pick<Cache, 'add'>;
  /**
   * The source of a kind in every cluster that the controller works for.
   * @param make creates the source of one cluster, from its cache.
   * @internal
   */
  sourceOf(kind: Kind, make: (cache: Cache) => Source): Source;
  /**
   * Makes a controller that does not run yet.
   * @internal
   * @throws {UsageError} when the name is taken.
   */
  createController(options: NewController): Controller;
  /**
   * Runs the controller.
   * @throws {UsageError} when the manager is stopping.
   */
  add(controller: Controller): void;
  /**
   * The cluster of a request; undefined when it is not there.
   * @internal
   */
  clusterOf(name: string | undefined): ControllerCluster | undefined;
}
