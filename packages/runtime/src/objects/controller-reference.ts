import type { KubernetesObject, OwnerReference } from 'ots-kubernetes';
import type { DeepReadonly } from './deep-readonly.ts';
import { ownerReference } from './owner-reference.ts';

/**
 * The owner reference that makes `owner` the controller of another object: the object is deleted with its owner, and
 * `ControllerBuilder.owns` finds the owner through it. Owner and object must be in one namespace, unless the owner is
 * cluster-scoped.
 * @throws {UsageError} when the owner was not read from the server, and so has no uid.
 */
export function controllerReference(owner: DeepReadonly<KubernetesObject>): OwnerReference {
  return { ...ownerReference(owner), controller: true, blockOwnerDeletion: true };
}
