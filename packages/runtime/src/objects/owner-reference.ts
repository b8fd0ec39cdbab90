import type { KubernetesObject, OwnerReference } from 'ots-kubernetes';
import { UsageError } from '../errors/usage-error.ts';
import type { DeepReadonly } from './deep-readonly.ts';

/**
 * The owner reference that makes `owner` one of the owners of another object: the object is deleted when the last of
 * them is. Owner and object must be in one namespace, unless the owner is cluster-scoped.
 * @throws {UsageError} when the owner was not read from the server, and so has no uid.
 */
export function ownerReference(owner: DeepReadonly<KubernetesObject>): OwnerReference {
  const { apiVersion, kind, metadata } = owner;
  if (!metadata.name || !metadata.uid) {
    throw new UsageError(
      `the owning ${kind} has no name or uid`,
      'Pass the object as the server returned it.',
    );
  }
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid };
}
