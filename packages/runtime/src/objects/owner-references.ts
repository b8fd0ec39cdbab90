import type { KubernetesObject, OwnerReference } from 'ots-kubernetes';
import { UsageError } from '../errors/usage-error.ts';
import { AlreadyOwnedError } from './already-owned-error.ts';
import { controllerOf } from './controller-of.ts';
import { controllerReference } from './controller-reference.ts';
import type { DeepReadonly } from './deep-readonly.ts';
import { groupOf } from './group-of.ts';
import { keyOf, keyText } from './object-key.ts';
import { ownerReference } from './owner-reference.ts';

/**
 * Makes `owner` the controller of the object at hand. Owners are the same when group, kind and name are: a reference
 * to another version or to an earlier incarnation of the owner is brought up to date, and a plain owner becomes the
 * controller.
 * @returns true when there is something to write.
 * @throws {AlreadyOwnedError} when the object has another controller.
 * @throws {UsageError} when the owner has no uid, or is in another namespace than the object.
 */
export function setControllerReference(
  owner: DeepReadonly<KubernetesObject>,
  object: KubernetesObject,
): boolean {
  const controller = controllerOf(object);
  if (controller && !names(controller, owner)) throw new AlreadyOwnedError(object, controller);
  return setReference(owner, object, controllerReference(owner));
}

/**
 * Makes `owner` one of the owners of the object at hand, without controlling it; a controller stays the controller.
 * @returns true when there is something to write.
 * @throws {UsageError} when the owner has no uid, or is in another namespace than the object.
 */
export function setOwnerReference(owner: DeepReadonly<KubernetesObject>, object: KubernetesObject): boolean {
  return setReference(owner, object, ownerReference(owner));
}

/**
 * Takes the reference to `owner`, in any version and incarnation, from the object at hand.
 * @returns true when there is something to write.
 */
export function removeOwnerReference(
  owner: DeepReadonly<KubernetesObject>,
  object: KubernetesObject,
): boolean {
  if (!hasOwnerReference(owner, object)) return false;
  object.metadata.ownerReferences = object.metadata.ownerReferences!.filter((each) => !names(each, owner));
  return true;
}

/** True when `owner`, in any version and incarnation, is one of the owners of the object. */
export function hasOwnerReference(
  owner: DeepReadonly<KubernetesObject>,
  object: DeepReadonly<KubernetesObject>,
): boolean {
  return object.metadata.ownerReferences?.some((each) => names(each, owner)) ?? false;
}

function setReference(
  owner: DeepReadonly<KubernetesObject>,
  object: KubernetesObject,
  reference: OwnerReference,
): boolean {
  refuseForeignNamespace(owner, object);
  const references = object.metadata.ownerReferences ?? [];
  const existing = references.find((each) => names(each, owner));
  const updated = { ...existing, ...reference };
  if (!existing) object.metadata.ownerReferences = [...references, updated];
  else object.metadata.ownerReferences = references.map((each) => (each === existing ? updated : each));
  return !existing || !sameReference(existing, updated);
}

/** The garbage collector takes an owner that it does not find in the object's namespace for deleted. */
function refuseForeignNamespace(
  owner: DeepReadonly<KubernetesObject>,
  object: DeepReadonly<KubernetesObject>,
): void {
  const { namespace } = owner.metadata;
  if (!namespace || namespace === object.metadata.namespace) return;
  const where = object.metadata.namespace
    ? `is in namespace ${object.metadata.namespace}`
    : 'has no namespace';
  throw new UsageError(
    `the ${owner.kind} ${keyText(keyOf(owner))} cannot own the ${object.kind} ${object.metadata.name ?? ''}, which ${where}`,
    'Put the object into the namespace of its owner, or let a cluster-scoped object own it.',
  );
}

function names(reference: DeepReadonly<OwnerReference>, owner: DeepReadonly<KubernetesObject>): boolean {
  return (
    reference.kind === owner.kind &&
    reference.name === owner.metadata.name &&
    groupOf(reference.apiVersion) === groupOf(owner.apiVersion)
  );
}

function sameReference(a: OwnerReference, b: OwnerReference): boolean {
  return (
    a.apiVersion === b.apiVersion &&
    a.uid === b.uid &&
    a.controller === b.controller &&
    a.blockOwnerDeletion === b.blockOwnerDeletion
  );
}
