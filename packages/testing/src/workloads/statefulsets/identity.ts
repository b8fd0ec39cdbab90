import type { DeepReadonly } from 'ots-runtime';
import type { StatefulSet } from 'ots-kubernetes/apps/v1';
import type { CachedPod } from '../pods/pod-state.ts';

/** A StatefulSet of the cache. */
export type CachedSet = DeepReadonly<StatefulSet> & {
  readonly spec: NonNullable<DeepReadonly<StatefulSet>['spec']>;
};

/** The name of its pod is in this label of a pod. */
export const podNameLabel = 'statefulset.kubernetes.io/pod-name';
/** The name of its revision is in this label of a pod. */
export const revisionLabel = 'controller-revision-hash';

const podName = /^(.*)-(\d+)$/;

/** The ordinal of a pod; undefined if the pod does not have a name of the set. */
export function ordinalOf({ metadata }: CachedSet, pod: CachedPod): number | undefined {
  const [, parent, digits] = podName.exec(pod.metadata.name ?? '') ?? [];
  return parent === metadata.name && Number(digits) < 2 ** 31 ? Number(digits) : undefined;
}

export function firstOrdinal({ spec }: CachedSet): number {
  return spec.ordinals?.start ?? 0;
}

/** Whether the set asks for a pod of the ordinal. */
export function isInRange(set: CachedSet, ordinal: number): boolean {
  const first = firstOrdinal(set);
  return ordinal >= first && ordinal < first + (set.spec.replicas ?? 1);
}

/** The revision of a pod. */
export function revisionOf({ metadata }: CachedPod): string | undefined {
  return metadata.labels?.[revisionLabel];
}
