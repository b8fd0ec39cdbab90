import type { KubernetesObject } from 'ots-kubernetes';
import type { DeepReadonly } from '../objects/deep-readonly.ts';

/**
 * Is notified of what happens to the objects of a kind, after the cache has it. Handlers run one after another and must
 * not block. What they throw is logged and affects neither other handlers nor later events.
 */
export interface InformerHandler<T extends KubernetesObject> {
  /**
   * An object is new, or existed at the start.
   * @param details.isInitial true for an object that existed when the handler or the informer started: such work can
   *   wait for newer changes.
   */
  added(object: DeepReadonly<T>, details: { isInitial: boolean }): void;
  /** An object has changed. */
  updated(oldObject: DeepReadonly<T>, object: DeepReadonly<T>): void;
  /**
   * An object is gone.
   * @param details.finalStateUnknown true if the deletion was not observed, only the absence: `object` is then its last
   *   known state.
   */
  deleted(object: DeepReadonly<T>, details: { finalStateUnknown: boolean }): void;
  /**
   * The namespace of an object is no longer cached, so the object has left the cache. It may still exist: do not clean
   * up after it. Optional: only for kinds whose namespaces change at run time.
   */
  uncached?(object: DeepReadonly<T>): void;
}

/** The registration of a handler, until it is disposed of: `using registration = informer.addHandler(…)`. */
export interface HandlerRegistration extends Disposable {
  /** Resolves when this handler has received every object that existed at the start, or receives no more. */
  readonly synced: Promise<void>;
}
