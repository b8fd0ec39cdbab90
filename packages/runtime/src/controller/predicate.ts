import type { KubernetesObject } from 'ots-kubernetes';
import type { DeepReadonly } from '../objects/deep-readonly.ts';

/** What is known of a deletion beside the object. */
export interface DeleteDetails {
  /** True when the end of the object was not seen, only that it is gone: the object is its last known state. */
  finalStateUnknown: boolean;
}

/** Decides which events reach a controller. What it does not define passes, and so does an event it throws for. */
export interface Predicate<T extends KubernetesObject> {
  /** An object is new, or was there when the watch began. True passes the event on. */
  create?(object: DeepReadonly<T>): boolean;
  /** An object has changed. True passes the event on. */
  update?(oldObject: DeepReadonly<T>, object: DeepReadonly<T>): boolean;
  /** An object is gone. True passes the event on. */
  delete?(object: DeepReadonly<T>, details: DeleteDetails): boolean;
}
