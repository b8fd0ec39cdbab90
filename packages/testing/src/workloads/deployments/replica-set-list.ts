import { isDeepStrictEqual } from 'node:util';
import type { DeepReadonly } from 'ots-runtime';
import type { Deployment, ReplicaSet, ReplicaSetStatus } from 'ots-kubernetes/apps/v1';
import type { PodTemplateSpec } from 'ots-kubernetes/core/v1';

/** A Deployment as it was read. */
export type CachedDeployment = DeepReadonly<Deployment>;
/** A ReplicaSet as it was read. */
export type CachedReplicaSet = DeepReadonly<ReplicaSet>;

/** The label that tells the ReplicaSets of a Deployment apart. */
export const hashLabel = 'pod-template-hash';

/** How many pods a ReplicaSet asks for. */
export function replicasOf({ spec }: CachedReplicaSet): number {
  return spec?.replicas ?? 1;
}

/** How many pods ReplicaSets ask for. */
export function sumReplicas(sets: readonly CachedReplicaSet[]): number {
  return sets.reduce((sum, set) => sum + replicasOf(set), 0);
}

type Count = 'replicas' | 'readyReplicas' | 'availableReplicas' | 'terminatingReplicas';

/** How many pods ReplicaSets report. */
export function sumStatus(sets: readonly CachedReplicaSet[], count: Count): number {
  return sets.reduce(
    (sum, { status }: DeepReadonly<{ status?: ReplicaSetStatus }>) => sum + (status?.[count] ?? 0),
    0,
  );
}

/** Those that ask for pods. */
export function active(sets: readonly CachedReplicaSet[]): CachedReplicaSet[] {
  return sets.filter((set) => replicasOf(set) > 0);
}

/** The oldest first; the name decides between those of the same second. */
export function byAge(a: CachedReplicaSet, b: CachedReplicaSet): number {
  const [timeOfA, timeOfB] = [a.metadata.creationTimestamp!, b.metadata.creationTimestamp!];
  if (timeOfA !== timeOfB) return timeOfA < timeOfB ? -1 : 1;
  return a.metadata.name! < b.metadata.name! ? -1 : 1;
}

/** The largest first; `byTime` decides between those of the same size. */
export function bySize(byTime: typeof byAge): typeof byAge {
  return (a, b) => replicasOf(b) - replicasOf(a) || byTime(a, b);
}

/** Whether two templates make the same pods. */
export function isSameTemplate(
  a: DeepReadonly<PodTemplateSpec> | undefined,
  b: DeepReadonly<PodTemplateSpec> | undefined,
): boolean {
  return isDeepStrictEqual(withoutHash(a), withoutHash(b));
}

function withoutHash(template: DeepReadonly<PodTemplateSpec> = {}): unknown {
  const { [hashLabel]: _, ...labels } = template.metadata?.labels ?? {};
  return { ...template, metadata: { ...template.metadata, labels } };
}
