import type { KubernetesObject } from 'ots-kubernetes';
import type { DeepReadonly } from '../objects/deep-readonly.ts';

/**
 * Told of what happens to the objects of a kind, after the cache knows it. Handlers run one after another and must
 * not block; what they throw is logged, and neither the other handlers nor the next event suffer from it.
 */
export interface InformerHandler<T extends KubernetesObject> {
  /**
   * An object is new, or was there at first.
   * @param details.isInitial true for what was there when the handler, or the informer, began to look: work that can
   *   wait for the changes that come in meanwhile.
   */
  added(object: DeepReadonly<T>, details: { isInitial: boolean }): void;
  /** An object has changed. */
  updated(oldObject: DeepReadonly<T>, object: DeepReadonly<T>): void;
  /**
   * An object is gone.
   * @param details.finalStateUnknown true when the end of the object was not seen, only that it is gone: `object` is
   *   then its last known state.
   */
  deleted(object: DeepReadonly<T>, details: { finalStateUnknown: boolean }): void;
}

/** A handler that is told of changes, until it is disposed of: `using registration = informer.addHandler(…)`. */
export interface HandlerRegistration extends Disposable {
  /** Resolves when this handler was told of every object that was there at first, or will be told of no more. */
  readonly synced: Promise<void>;
}
