import type { KubernetesObject, OwnerReference } from 'ots-kubernetes';
import { UsageError } from '../errors/usage-error.ts';
import type { DeepReadonly } from './deep-readonly.ts';

/**
 * The owner reference that makes `owner` the controller of another object: the object is deleted with its owner, and
 * `ControllerBuilder.owns` finds the owner through it. Owner and object must be in one namespace, unless the owner is
 * cluster-scoped.
 * @throws {UsageError} when the owner was not read from the server, and so has no uid.
 */
export function controllerReference(owner: DeepReadonly<KubernetesObject>): OwnerReference {
  const { apiVersion, kind, metadata } = owner;
  if (!metadata.name || !metadata.uid) {
    throw new UsageError(
      `the owning ${kind} has no name or uid`,
      'Pass the object as the server returned it.',
    );
  }
  return {
    apiVersion,
    kind,
    name: metadata.name,
    uid: metadata.uid,
    controller: true,
    blockOwnerDeletion: true,
  };
}
