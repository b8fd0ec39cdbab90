import type { KubernetesObject } from 'ots-kubernetes';
import type { DeepReadonly } from './deep-readonly.ts';

/** Names one object of a kind. */
export interface ObjectKey {
  /** Of the object. */
  name: string;
  /** Absent for cluster-scoped kinds. */
  namespace?: string | undefined;
}

/** `namespace/name`, or the name alone. */
export function keyText({ name, namespace }: ObjectKey): string {
  return namespace ? `${namespace}/${name}` : name;
}

/**
 * The key of an object, for `client.get` and similar calls; a `Request` is one too.
 * @returns the name is empty when the object has none yet, as before it is created with `generateName`: no request is
 *   sent with it.
 */
export function keyOf({ metadata }: DeepReadonly<KubernetesObject>): ObjectKey {
  const { name = '', namespace } = metadata;
  return namespace ? { name, namespace } : { name };
}
