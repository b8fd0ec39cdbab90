import { goQuote } from 'ots-apimachinery/go/go-quote';
import { PersistentVolume, PersistentVolumeClaim, type NodeSelector } from 'ots-kubernetes/core/v1';
import type { Cache, DeepReadonly } from 'ots-runtime';
import { claimsOfPod } from '../pods/claims-of-pod.ts';
import type { CachedPod } from '../pods/pod-state.ts';
import { type CachedClaim, type CachedVolume, classOf, isDelayed } from '../volumes/claim.ts';
import { hasAccessModes, matchingVolume } from '../volumes/matching-volume.ts';
import { bindCompleted } from '../volumes/volume-annotations.ts';
import type { NodeView } from './cluster-state.ts';
import { type Filter, unresolvable } from './filter.ts';
import { nodeSelectorMatcher } from './node-affinity.ts';

const noProvisioner = 'kubernetes.io/no-provisioner';

/** The claims of a pod, when all of them exist. */
export interface PodClaims {
  readonly bound: readonly CachedClaim[];
  /** Their volumes are chosen or provisioned when the pod has a node. */
  readonly delayed: readonly CachedClaim[];
}

/** Finds the claims of a pod. @returns why the pod cannot run anywhere, in the words of kube-scheduler, if one is not usable */
export function podClaims(pod: CachedPod, cache: Cache): PodClaims | string {
  const { namespace } = pod.metadata;
  const bound: CachedClaim[] = [];
  const delayed: CachedClaim[] = [];
  let hasImmediate = false;
  for (const { name, isEphemeral } of claimsOfPod(pod)) {
    const claim = cache.get(PersistentVolumeClaim, { name, namespace });
    if (!claim) {
      return isEphemeral
        ? `waiting for ephemeral volume controller to create the persistentvolumeclaim ${goQuote(name)}`
        : `persistentvolumeclaim ${goQuote(name)} not found`;
    }
    if (claim.status?.phase === 'Lost')
      return `persistentvolumeclaim ${goQuote(name)} bound to non-existent persistentvolume ${goQuote(claim.spec?.volumeName ?? '')}`;
    if (claim.metadata.deletionTimestamp !== undefined)
      return `persistentvolumeclaim ${goQuote(name)} is being deleted`;
    if (isBound(claim)) {
      const volume = claim.spec!.volumeName!;
      if (!cache.get(PersistentVolume, { name: volume }))
        return `persistentvolume ${goQuote(volume)} not found`;
      bound.push(claim);
    } else if (isDelayed(claim, cache)) delayed.push(claim);
    else hasImmediate = true;
  }
  return hasImmediate ? 'pod has unbound immediate PersistentVolumeClaims' : { bound, delayed };
}

function isBound({ metadata, spec }: CachedClaim): boolean {
  return Boolean(spec?.volumeName) && metadata.annotations?.[bindCompleted] !== undefined;
}

/** Excludes the nodes where the volumes of the claims cannot be. */
export function volumeBinding({ bound, delayed }: PodClaims, cache: Cache): Filter | undefined {
  if (bound.length + delayed.length === 0) return undefined;
  return (view) => {
    for (const { spec } of bound) {
      const volume = cache.get(PersistentVolume, { name: spec!.volumeName! });
      if (volume && !isReachable(volume, view)) return elsewhere;
    }
    for (const claim of delayed)
      if (!isProvisioned(claim, cache) && !findVolume(claim, view, cache)) return noVolume;
    return undefined;
  };
}

const elsewhere = unresolvable("node(s) didn't match PersistentVolume's node affinity");
const noVolume = unresolvable("node(s) didn't find available persistent volumes to bind");

/** Whether a provisioner creates volumes for the claim. */
export function isProvisioned(claim: CachedClaim, cache: Cache): boolean {
  const provisioner = classOf(claim, cache)?.provisioner;
  return provisioner !== undefined && provisioner !== noProvisioner;
}

/** The volume that a claim can have on a node. */
export function findVolume(claim: CachedClaim, view: NodeView, cache: Cache): CachedVolume | undefined {
  const volumes = cache.list(PersistentVolume).filter((volume) => hasAccessModes(volume, claim));
  return matchingVolume(claim, { volumes, isReachable: (volume) => isReachable(volume, view) });
}

function isReachable({ spec }: CachedVolume, view: NodeView): boolean {
  const required: DeepReadonly<NodeSelector> | undefined = spec?.nodeAffinity?.required;
  return required ? nodeSelectorMatcher(required)(view) : true;
}
