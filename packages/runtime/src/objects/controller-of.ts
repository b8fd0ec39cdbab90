import type { KubernetesObject, OwnerReference } from 'ots-kubernetes';
import type { DeepReadonly } from './deep-readonly.ts';

/** The owner reference of the controller of the object; undefined when nobody controls it. */
export function controllerOf({
  metadata,
}: DeepReadonly<KubernetesObject>): DeepReadonly<OwnerReference> | undefined {
  return metadata.ownerReferences?.find(({ controller }) => controller === true);
}

/** True when `owner`, this very incarnation of it, is the controller of the object. */
export function isControlledBy(
  object: DeepReadonly<KubernetesObject>,
  owner: DeepReadonly<KubernetesObject>,
): boolean {
  const uid = controllerOf(object)?.uid;
  return uid !== undefined && uid === owner.metadata.uid;
}
