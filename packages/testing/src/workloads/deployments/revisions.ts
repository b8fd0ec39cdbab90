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

/** The revision of an object, 0 without one; undefined if the annotation is not a number. */
export function revisionOf({ metadata }: DeepReadonly<KubernetesObject>): number | undefined {
  return integer(metadata.annotations?.[revisionAnnotation] ?? '0');
}

/** The highest revision of ReplicaSets; 0 if there is none. */
export function maxRevision(sets: readonly CachedReplicaSet[]): number {
  return Math.max(0, ...sets.map((set) => revisionOf(set) ?? 0));
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
  const desired = integer(metadata.annotations?.[desiredAnnotation]);
  const max = integer(metadata.annotations?.[maxAnnotation]);
  return { ...(desired !== undefined && { desired }), ...(max !== undefined && { max }) };
}

/**
 * The annotations of the newest ReplicaSet of a Deployment: those of the Deployment, and the revision. A ReplicaSet that becomes the
 * newest again keeps its earlier revisions as a history.
 */
export function newestAnnotations(
  deployment: CachedDeployment,
  before: Readonly<Annotations> = {},
  revision: number,
): Annotations {
  const copied = Object.entries(deployment.metadata.annotations ?? {}).filter(
    ([key]) => !ownAnnotations.has(key),
  );
  const annotations: Annotations = { ...before, ...Object.fromEntries(copied) };
  const old = before[revisionAnnotation];
  const oldRevision = integer(old ?? '0');
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

function integer(text: string | undefined): number | undefined {
  return text !== undefined && /^-?\d+$/.test(text) ? Number(text) : undefined;
}
