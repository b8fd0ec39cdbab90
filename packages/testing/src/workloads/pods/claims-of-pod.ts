import { type PersistentVolumeClaim, Pod } from 'ots-kubernetes/core/v1';
import type { Cache, DeepReadonly, Request } from 'ots-runtime';
import type { CachedPod } from './pod-state.ts';

const index = 'claim';

/** A claim that a pod uses. */
export interface UsedClaim {
  readonly name: string;
  /** Whether the claim is that of an ephemeral volume, which belongs to the pod. */
  readonly isEphemeral: boolean;
}

/** The claims that a pod uses, in the order of its volumes. */
export function claimsOfPod({ metadata, spec }: CachedPod): UsedClaim[] {
  return (spec?.volumes ?? []).flatMap<UsedClaim>(({ name, persistentVolumeClaim, ephemeral }) => {
    if (persistentVolumeClaim) return [{ name: persistentVolumeClaim.claimName, isEphemeral: false }];
    return ephemeral ? [{ name: `${metadata.name}-${name}`, isEphemeral: true }] : [];
  });
}

/** Maps a pod to the claims that it uses. */
export function claimRequests(pod: CachedPod): Request[] {
  return claimsOfPod(pod).map(({ name }) => ({ name, namespace: pod.metadata.namespace }));
}

/** Lets {@link podsOfClaim} find pods without reading all of them. To be called before the manager starts. */
export function indexByClaim(cache: Cache): void {
  cache.add(Pod);
  cache.addIndex(Pod, index, claimNames);
}

function claimNames(pod: CachedPod): string[] {
  return claimsOfPod(pod).map(({ name }) => name);
}

/** The pods that use a claim, in the order of their names. */
export function podsOfClaim(
  cache: Cache,
  { metadata: { name = '', namespace } }: DeepReadonly<PersistentVolumeClaim>,
): CachedPod[] {
  const pods = cache.list(Pod, { namespace, index: { [index]: name } });
  return pods.toSorted((a, b) => (a.metadata.name! < b.metadata.name! ? -1 : 1));
}
