import type { KubernetesObject } from 'ots-kubernetes';
import type { DeepReadonly } from './deep-readonly.ts';

/** Names one object of a kind. */
export interface ObjectKey {
  /** The name of the object. */
  name: string;
  /** Absent for cluster-scoped kinds. */
  namespace?: string | undefined;
}

/** Formats a key as `namespace/name`, or the name alone. */
export function keyText({ name, namespace }: ObjectKey): string {
  return namespace ? `${namespace}/${name}` : name;
}

/**
 * Returns the key of an object, for `client.get` and similar calls. A `Request` is also a key.
 * @returns a key with an empty name when the object does not have one yet, as before it is created with
 *   `generateName`; the client refuses to send a request with it.
 */
export function keyOf({ metadata }: DeepReadonly<KubernetesObject>): ObjectKey {
  const { name = '', namespace } = metadata;
  return namespace ? { name, namespace } : { name };
}
