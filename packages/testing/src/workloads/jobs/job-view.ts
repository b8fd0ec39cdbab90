import { type CachedPod, isPodActive, isPodReady, isPodTerminating } from '../pods/pod-state.ts';
import { type Backoff, addToBackoff, finishedAt } from './backoff.ts';
import { parseIndexes } from './index-set.ts';
import {
  type CachedJob,
  failuresBefore,
  hasValidIndex,
  indexOf,
  indexesOf,
  isIndexed,
  isPodFailed,
  isTracked,
} from './job-facts.ts';
import { decideFailure, isCounted } from './pod-failure-policy.ts';

/** What the pods of a job say about it. */
export interface JobView {
  readonly job: CachedJob;
  readonly pods: readonly CachedPod[];
  readonly active: readonly CachedPod[];
  readonly ready: number;
  readonly terminating: number;
  /** Counted before and now. Indexes, if the job is indexed. */
  readonly succeeded: number;
  readonly failed: number;
  readonly backoff: Backoff;
  /** The indexes that the status has as completed. */
  readonly completedBefore: ReadonlySet<number>;
  readonly completedIndexes: ReadonlySet<number>;
  /** Undefined if indexes have no limit. */
  readonly failedIndexes: ReadonlySet<number> | undefined;
  /** By index: the failed pod that stays until another replaces it, which inherits its number of failures. */
  readonly toReplace: ReadonlyMap<number, CachedPod>;
}

/** @param before the failures until now */
export function viewJob(job: CachedJob, pods: readonly CachedPod[], before: Backoff): JobView {
  const { status, spec } = job;
  const { succeeded: uncountedSucceeded = [], failed: uncountedFailed = [] } =
    status?.uncountedTerminatedPods ?? {};
  const active = pods.filter(isPodActive);
  const fresh = pods.filter((pod) => isTracked(pod) && hasValidIndex(pod, job));
  const newSucceeded = fresh.filter(isNew(uncountedSucceeded)).filter(hasSucceeded);
  const newFailed = fresh.filter(isNew(uncountedFailed)).filter((pod) => isPodFailed(pod, job));

  const completions = spec?.completions ?? 0;
  const completedBefore = parseIndexes(status?.completedIndexes, completions);
  const completedIndexes = new Set([...completedBefore, ...indexesOf(fresh.filter(hasSucceeded))]);
  const hasLimit = isIndexed(job) && spec?.backoffLimitPerIndex !== undefined;
  const failedIndexes = hasLimit
    ? new Set([
        ...parseIndexes(status?.failedIndexes, completions),
        ...indexesOf(fresh.filter((pod) => failsIndex(job, pod))),
      ])
    : undefined;
  return {
    job,
    pods,
    active,
    ready: active.filter(isPodReady).length,
    terminating: pods.filter(isPodTerminating).length,
    succeeded: isIndexed(job)
      ? completedIndexes.size
      : (status?.succeeded ?? 0) + newSucceeded.length + uncountedSucceeded.length,
    failed:
      (status?.failed ?? 0) + newFailed.filter((pod) => isCounted(job, pod)).length + uncountedFailed.length,
    backoff: addToBackoff(before, newSucceeded, newFailed),
    completedBefore,
    completedIndexes,
    failedIndexes,
    toReplace: failedIndexes
      ? lastFailures(
          fresh.filter((pod) => isPodFailed(pod, job)),
          new Set([...completedIndexes, ...failedIndexes, ...indexesOf(active)]),
        )
      : new Map<number, CachedPod>(),
  };
}

/** Tells pods that are not among the uids. */
function isNew(uids: readonly string[]): (pod: CachedPod) => boolean {
  return ({ metadata }) => !uids.includes(metadata.uid!);
}

function hasSucceeded({ status }: CachedPod): boolean {
  return status?.phase === 'Succeeded';
}

function failsIndex(job: CachedJob, pod: CachedPod): boolean {
  if (!isPodFailed(pod, job)) return false;
  const action = decideFailure(job, pod)?.action;
  if (action === 'FailIndex') return true;
  return action !== 'Ignore' && failuresBefore(pod).counted >= (job.spec?.backoffLimitPerIndex ?? 0);
}

/** @param settled indexes that need no new pod */
function lastFailures(
  failed: readonly CachedPod[],
  settled: ReadonlySet<number>,
): ReadonlyMap<number, CachedPod> {
  const last = new Map<number, CachedPod>();
  for (const pod of failed) {
    const index = indexOf(pod)!;
    if (settled.has(index)) continue;
    const other = last.get(index);
    if (!other || (tries(pod) >= tries(other) && finishedAt(pod) >= finishedAt(other))) last.set(index, pod);
  }
  return last;
}

function tries(pod: CachedPod): number {
  const { counted, ignored } = failuresBefore(pod);
  return counted + ignored;
}

/** The failures of an index for which a pod is to be created. */
export function backoffOfIndex({ toReplace }: JobView, index: number): Backoff {
  const pod = toReplace.get(index);
  return pod ? { failures: tries(pod) + 1, lastFailure: finishedAt(pod) } : { failures: 0, lastFailure: 0 };
}
