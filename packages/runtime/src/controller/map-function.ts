import type { KubernetesObject } from 'ots-kubernetes';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import type { Request } from './reconciler.ts';

/**
 * Maps an object to the requests that it concerns. It must not have effects: it is called for the old and for the new
 * state of an object, and called again when it fails.
 */
export type MapFunction<T extends KubernetesObject> = (
  object: DeepReadonly<T>,
) => readonly Request[] | Promise<readonly Request[]>;
