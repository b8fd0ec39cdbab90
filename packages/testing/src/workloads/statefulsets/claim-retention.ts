import { type DeepReadonly, controllerReference } from 'ots-runtime';
import type { KubernetesObject } from 'ots-kubernetes';
import type { PersistentVolumeClaim } from 'ots-kubernetes/core/v1';
import type { CachedPod } from '../pods/pod-state.ts';
import { type CachedSet, isInRange, ordinalOf } from './identity.ts';

/** A claim of the cache. */
export type CachedClaim = DeepReadonly<PersistentVolumeClaim>;

type Reference = NonNullable<CachedClaim['metadata']['ownerReferences']>[number];

/** The set and the pod that may own a claim. */
interface Owners {
  readonly set: CachedSet;
  /** A planned pod has no uid. */
  readonly pod: CachedPod;
}

/**
 * The owner references that a claim should have by the retention policy of the set: the set owns it if it goes with the set, the pod
 * if the pod is beyond the ordinals of the set and the claim goes with it.
 *
 * @returns undefined if the claim has them, or must not be touched
 */
export function retentionReferences(claim: CachedClaim, owners: Owners): Reference[] | undefined {
  const { set, pod } = owners;
  if (isStale(claim, set) || isStale(claim, pod)) return undefined;
  const references = claim.metadata.ownerReferences ?? [];
  const own = references.filter(({ uid }) => uid === set.metadata.uid || uid === pod.metadata.uid);
  const others = references.filter((reference) => !own.includes(reference));
  const owner = hasOtherController(claim, owners) ? undefined : ownerOf(owners);
  const isRight = owner
    ? own.length === 1 && own[0]!.uid === owner.metadata.uid && own[0]!.controller === true
    : own.length === 0;
  if (isRight) return undefined;
  return owner ? [...others, controllerReference(owner)] : others;
}

/** Whether a controller that is neither the set nor the pod owns a claim to which the policy applies. */
export function hasOtherController(claim: CachedClaim, { set, pod }: Owners): boolean {
  const { whenDeleted, whenScaled } = set.spec.persistentVolumeClaimRetentionPolicy ?? {};
  if (whenDeleted !== 'Delete' && whenScaled !== 'Delete') return false;
  return (claim.metadata.ownerReferences ?? []).some(
    ({ uid, controller }) => controller === true && uid !== set.metadata.uid && uid !== pod.metadata.uid,
  );
}

/** Whether an object of the same name, which is gone, owns the claim: the garbage collector decides about it. */
export function isStale(
  { metadata: { ownerReferences = [] } }: CachedClaim,
  { apiVersion, kind, metadata: { name, uid } }: DeepReadonly<KubernetesObject>,
): boolean {
  const reference = ownerReferences.find(
    (owner) => owner.apiVersion === apiVersion && owner.kind === kind && owner.name === name,
  );
  return reference !== undefined && reference.uid !== uid;
}

function ownerOf({ set, pod }: Owners): CachedSet | CachedPod | undefined {
  const { whenDeleted, whenScaled } = set.spec.persistentVolumeClaimRetentionPolicy ?? {};
  if (whenScaled === 'Delete' && !isInRange(set, ordinalOf(set, pod)!)) return pod;
  return whenDeleted === 'Delete' ? set : undefined;
}
