import type { DeepReadonly } from 'ots-runtime';
import type { Job, JobCondition } from 'ots-kubernetes/batch/v1';
import type { CachedPod } from '../pods/pod-state.ts';

/** A job of the cache. */
export type CachedJob = DeepReadonly<Job>;

/** Keeps a pod until its job has counted it. */
export const trackingFinalizer = 'batch.kubernetes.io/job-tracking';
export const indexKey = 'batch.kubernetes.io/job-completion-index';
export const failureCountKey = 'batch.kubernetes.io/job-index-failure-count';
export const ignoredFailureCountKey = 'batch.kubernetes.io/job-index-ignored-failure-count';

export function isIndexed({ spec }: CachedJob): boolean {
  return spec?.completionMode === 'Indexed';
}

export function isSuspended({ spec }: CachedJob): boolean {
  return spec?.suspend === true;
}

/** The condition with which a job has ended: `Complete` or `Failed`; undefined until then. */
export function finishedCondition({ status }: CachedJob): DeepReadonly<JobCondition> | undefined {
  return (status?.conditions ?? []).find(
    ({ type, status: value }) => (type === 'Complete' || type === 'Failed') && value === 'True',
  );
}

/** Whether a job has ended, with or without success. */
export function isFinished(job: CachedJob): boolean {
  return finishedCondition(job) !== undefined;
}

/** Whether another program than kube-controller-manager is responsible for a job. */
export function isManagedElsewhere({ spec }: CachedJob): boolean {
  return (spec?.managedBy ?? 'kubernetes.io/job-controller') !== 'kubernetes.io/job-controller';
}

/** Whether a pod that is being deleted is replaced only when it has ended. */
function waitsForEnd({ spec }: CachedJob): boolean {
  return spec?.podReplacementPolicy === 'Failed' || spec?.podFailurePolicy !== undefined;
}

/** How many pods that are being deleted still take the place of new ones. */
export function occupied(job: CachedJob, terminating: number): number {
  return waitsForEnd(job) ? terminating : 0;
}

/** Whether a job counts a pod as failed. */
export function isPodFailed({ metadata, status }: CachedPod, job: CachedJob): boolean {
  if (status?.phase === 'Failed') return true;
  if (waitsForEnd(job)) return false;
  return metadata.deletionTimestamp !== undefined && status?.phase !== 'Succeeded';
}

/** Whether no job has counted a pod yet. */
export function isTracked({ metadata }: CachedPod): boolean {
  return metadata.finalizers?.includes(trackingFinalizer) ?? false;
}

/** The completion index of a pod; undefined if it has none that makes sense. */
export function indexOf({ metadata }: CachedPod): number | undefined {
  const text = metadata.annotations?.[indexKey];
  return text !== undefined && /^\+?\d+$/.test(text) ? Number(text) : undefined;
}

/** Whether an indexed job wants the index of a pod. Pods of other jobs need none. */
export function hasValidIndex(pod: CachedPod, job: CachedJob): boolean {
  if (!isIndexed(job)) return true;
  const index = indexOf(pod);
  return index !== undefined && index < (job.spec?.completions ?? 0);
}

/** The indexes of pods. */
export function indexesOf(pods: readonly CachedPod[]): Set<number> {
  return new Set(pods.map(indexOf).filter((index) => index !== undefined));
}

/** How often pods of an index have failed before a pod, counted against the limit and ignored. */
export function failuresBefore({ metadata }: CachedPod): { counted: number; ignored: number } {
  const read = (key: string): number => {
    const text = metadata.annotations?.[key] ?? '';
    return /^\d+$/.test(text) && Number(text) < 2 ** 31 ? Number(text) : 0;
  };
  return { counted: read(failureCountKey), ignored: read(ignoredFailureCountKey) };
}
