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

/** The key of an object; the name is empty when it has none yet. */
export function keyOf({ metadata }: DeepReadonly<KubernetesObject>): ObjectKey {
  const { name = '', namespace } = metadata;
  return namespace ? { name, namespace } : { name };
}
