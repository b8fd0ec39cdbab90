import type { KubernetesObject, OwnerReference } from 'ots-kubernetes';
import { RuntimeError } from '../errors/runtime-error.ts';
import { UsageError } from '../errors/usage-error.ts';
import type { DeepReadonly } from './deep-readonly.ts';
import { groupOf } from './group-of.ts';
import { keyOf, keyText } from './object-key.ts';

/** The object does not belong to the owner: another controller or a user created it. It was not changed. */
export class AlreadyOwnedError extends RuntimeError {
  /** Stable; to branch on. */
  readonly code = 'ALREADY_OWNED';
  /** The actual controller of the object; undefined when it has none. */
  readonly owner: DeepReadonly<OwnerReference> | undefined;

  constructor(object: DeepReadonly<KubernetesObject>, owner: DeepReadonly<OwnerReference> | undefined) {
    const what = `${object.kind} ${keyText(keyOf(object))}`;
    super(
      owner
        ? `The ${what} is already controlled by ${owner.kind} ${owner.name}`
        : `The ${what} already exists and has no controller`,
      'Rename one of the two, or delete the object if nothing needs it.',
    );
    this.owner = owner;
  }
}

/** Returns the owner reference of the object's controller; undefined if it has none. */
export function controllerOf({
  metadata,
}: DeepReadonly<KubernetesObject>): DeepReadonly<OwnerReference> | undefined {
  return metadata.ownerReferences?.find(({ controller }) => controller === true);
}

/** Returns true when exactly this incarnation of `owner` is the controller of the object. */
export function isControlledBy(
  object: DeepReadonly<KubernetesObject>,
  owner: DeepReadonly<KubernetesObject>,
): boolean {
  const uid = controllerOf(object)?.uid;
  return uid !== undefined && uid === owner.metadata.uid;
}

/**
 * Returns the owner reference that makes `owner` one of the owners of another object: the object is deleted with the
 * last of them. Owner and object must be in the same namespace, unless the owner is cluster-scoped.
 * @throws {UsageError} when the owner was not read from the server, and so has no uid.
 */
export function ownerReference(owner: DeepReadonly<KubernetesObject>): OwnerReference {
  const { apiVersion, kind, metadata } = owner;
  if (!metadata.name || !metadata.uid) {
    throw new UsageError(
      `The owning ${kind} has no name or uid`,
      'Pass the object as the server returned it.',
    );
  }
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid };
}

/**
 * Returns the owner reference that makes `owner` the controller of another object: the object is deleted with its
 * owner, and `ControllerBuilder.owns` finds the owner through it. Owner and object must be in the same namespace, unless
 * the owner is cluster-scoped.
 * @throws {UsageError} when the owner was not read from the server, and so has no uid.
 */
export function controllerReference(owner: DeepReadonly<KubernetesObject>): OwnerReference {
  return { ...ownerReference(owner), controller: true, blockOwnerDeletion: true };
}

/**
 * Makes `owner` the controller of the object in memory. Two owners are the same if group, kind and name are equal: a
 * reference to another version or to an earlier incarnation of the owner is updated, and a plain owner becomes the
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
 * Makes `owner` one of the owners of the object in memory, without controlling it; a controller stays the controller.
 * @returns true when there is something to write.
 * @throws {UsageError} when the owner has no uid, or is in another namespace than the object.
 */
export function setOwnerReference(owner: DeepReadonly<KubernetesObject>, object: KubernetesObject): boolean {
  return setReference(owner, object, ownerReference(owner));
}

/**
 * Removes the reference to `owner`, with any version and uid, from the object in memory.
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

/** Returns true when `owner`, in any version and incarnation, is one of the owners of the object. */
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

/** If the garbage collector does not find an owner in the object's namespace, it considers the owner deleted. */
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
    `The ${owner.kind} ${keyText(keyOf(owner))} cannot own the ${object.kind} ${object.metadata.name ?? ''}, which ${where}`,
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
