import type { DeepReadonly } from 'ots-runtime';
import type { KubernetesObject } from 'ots-kubernetes';
import { desiredReplicas, maxReplicas } from './limits.ts';
import type { CachedDeployment, CachedReplicaSet } from './replica-set-list.ts';

type Annotations = Record<string, string>;

export const revisionAnnotation = 'deployment.kubernetes.io/revision';
const historyAnnotation = 'deployment.kubernetes.io/revision-history';
const desiredAnnotation = 'deployment.kubernetes.io/desired-replicas';
const maxAnnotation = 'deployment.kubernetes.io/max-replicas';
/** As in Kubernetes, in characters: about a hundred revisions. */
const maxHistoryLength = 2000;

/** What a ReplicaSet does not get from its Deployment. */
const ownAnnotations = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  revisionAnnotation,
  historyAnnotation,
  desiredAnnotation,
  maxAnnotation,
  'deprecated.deployment.rollback.to',
]);

/** The revision of an object, 0 without one; undefined if the annotation is not an integer of 64 bits. */
export function revisionOf({ metadata }: DeepReadonly<KubernetesObject>): bigint | undefined {
  return int64(metadata.annotations?.[revisionAnnotation] ?? '0');
}

/** The highest revision of ReplicaSets; 0 if there is none. */
export function maxRevision(sets: readonly CachedReplicaSet[]): bigint {
  return sets.reduce((highest, set) => {
    const revision = revisionOf(set) ?? 0n;
    return revision > highest ? revision : highest;
  }, 0n);
}

/** The annotations that tell a ReplicaSet how large its Deployment is. */
export function sizeAnnotations(deployment: CachedDeployment): Annotations {
  return {
    [desiredAnnotation]: `${desiredReplicas(deployment)}`,
    [maxAnnotation]: `${maxReplicas(deployment)}`,
  };
}

/** The size of the Deployment when a ReplicaSet was scaled last; undefined if it does not say. */
export function recordedSize({ metadata }: CachedReplicaSet): { desired?: number; max?: number } {
  const desired = int64(metadata.annotations?.[desiredAnnotation]);
  const max = int64(metadata.annotations?.[maxAnnotation]);
  return {
    ...(desired !== undefined && { desired: Number(desired) }),
    ...(max !== undefined && { max: Number(max) }),
  };
}

/**
 * The annotations of the newest ReplicaSet of a Deployment: those of the Deployment, and the revision. A ReplicaSet that becomes the
 * newest again keeps its earlier revisions as a history.
 */
export function newestAnnotations(
  deployment: CachedDeployment,
  before: Readonly<Annotations> = {},
  revision: bigint,
): Annotations {
  const copied = Object.entries(deployment.metadata.annotations ?? {}).filter(
    ([key]) => !ownAnnotations.has(key),
  );
  const annotations: Annotations = { ...before, ...Object.fromEntries(copied) };
  const old = before[revisionAnnotation];
  const oldRevision = int64(old ?? '0');
  if (oldRevision === undefined || oldRevision >= revision) return annotations;
  annotations[revisionAnnotation] = `${revision}`;
  if (old !== undefined) annotations[historyAnnotation] = appended(before[historyAnnotation] ?? '', old);
  return annotations;
}

function appended(history: string, revision: string): string {
  const revisions = [...history.split(',').filter(Boolean), revision];
  while (revisions.length > 1 && revisions.join(',').length > maxHistoryLength) revisions.shift();
  return revisions.join(',');
}

function int64(text: string | undefined): bigint | undefined {
  if (text === undefined || !/^[+-]?\d+$/.test(text)) return undefined;
  const value = BigInt(text.replace(/^\+/, ''));
  return BigInt.asIntN(64, value) === value ? value : undefined;
}
