import type { Cache } from '../cache/cache.ts';
import type { EventRecorder } from '../events/event-recorder.ts';
import type { Controller, ControllerConfig } from './controller.ts';
import type { ControllerOptions } from './controller-options.ts';

/** What the author of a controller states about it. */
export type NewController = Pick<ControllerConfig, 'name' | 'kind' | 'reconciler' | 'author' | 'hasLeft'> &
  ControllerOptions;

/** What `ControllerBuilder` needs: a `Manager` has it. */
export interface ControllerHost {
  /** Keeps the kinds that the controller watches. */
  readonly cache: Cache;
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
   * Returns the recorder of the controller's events.
   * @throws {UsageError} if events cannot have this name.
   */
  eventRecorder(controller: string): EventRecorder;
}
