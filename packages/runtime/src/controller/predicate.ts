import type { KubernetesObject } from 'ots-kubernetes';
import type { DeepReadonly } from '../objects/deep-readonly.ts';

/** Decides which events reach a controller. What it does not define passes. */
export interface Predicate<T extends KubernetesObject> {
  create?(object: DeepReadonly<T>): boolean;
  update?(oldObject: DeepReadonly<T>, object: DeepReadonly<T>): boolean;
  delete?(object: DeepReadonly<T>): boolean;
}
