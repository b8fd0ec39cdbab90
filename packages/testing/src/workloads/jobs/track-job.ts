import { isDeepStrictEqual } from 'node:util';
import type { Clock } from 'ots-apimachinery/clock/clock';
import { type Client, type DeepReadonly, isConditionTrue } from 'ots-runtime';
import { Job, type JobCondition, type JobStatus } from 'ots-kubernetes/batch/v1';
import { attemptAll } from '../pods/attempt-all.ts';
import type { CachedPod } from '../pods/pod-state.ts';
import { timeText } from '../time-text.ts';
import { withoutZeros } from '../without-zeros.ts';
import { formatIndexes } from './index-set.ts';
import { conditionOf, withCondition } from './job-conditions.ts';
import { type CachedJob, hasValidIndex, indexOf, isIndexed, isPodFailed, isTracked } from './job-facts.ts';
import type { JobView } from './job-view.ts';
import { isCounted } from './pod-failure-policy.ts';
import { untrack } from './scale-job.ts';
import type { Verdict } from './verdict.ts';

type Status = DeepReadonly<JobStatus>;

/** How many pods a job counts at a time: their uids are in its status. */
const maxUncounted = 500;

/** What a reconcile has decided about a job. */
export interface Decision {
  readonly view: JobView;
  /** How the job ends; undefined if it does not yet. */
  readonly verdict: Verdict | undefined;
  /** What the status says besides the counts of pods that have ended. */
  readonly status: Status;
}

/** What a job is tracked with. */
export interface Tracking {
  readonly client: Client;
  readonly clock: Clock;
  /** To be called when the status has the pods that are about to be counted. */
  readonly noted: () => void;
}

/**
 * Counts pods that have ended, each once even if the controller stops in between: writes their uids into the status, lets go of the
 * pods, and then counts what has no finalizer any more. A job whose pods have all ended becomes complete or failed.
 *
 * @returns the job as it is stored now, and the condition with which it has ended
 */
export async function trackJob(
  { client, clock, noted }: Tracking,
  { view, verdict, status }: Decision,
): Promise<{ job: CachedJob; end: JobCondition | undefined }> {
  const now = clock.epoch();
  const tracked = view.pods.filter(isTracked);
  const uids = new Set(tracked.map(({ metadata }) => metadata.uid!));
  const ended = tracked
    .toSorted((a, b) => (indexOf(a) ?? -1) - (indexOf(b) ?? -1))
    .filter((pod) => canLetGo(view, verdict, pod));
  const { pods, noted: uncounted, isFull } = noteEnded(view, verdict, ended, withCounted(status, uids));
  let next = withIndexes(view, withVerdict(uncounted, verdict, now));
  let job = await write(client, view.job, next);
  if (job !== view.job) noted();

  await attemptAll(pods, async (pod) => {
    await untrack(client, pod);
    uids.delete(pod.metadata.uid!);
  });
  next = withCounted(next, uids);
  const end = verdict && !isFull && isSettled(next) ? finalCondition(verdict, now) : undefined;
  if (end) next = { ...next, conditions: withCondition(next.conditions ?? [], end) };
  if (end?.type === 'Complete') next = { ...next, completionTime: timeText(now) };
  job = await write(client, job, next);
  return { job, end };
}

/** A pod that has ended may go, but the last failure of an index waits for the pod that replaces it. */
function canLetGo({ job, toReplace }: JobView, verdict: Verdict | undefined, pod: CachedPod): boolean {
  if (job.metadata.deletionTimestamp !== undefined || verdict || pod.status?.phase === 'Succeeded')
    return true;
  return isPodFailed(pod, job) && toReplace.get(indexOf(pod) ?? -1) !== pod;
}

/** Adds pods to those that are about to be counted. */
function noteEnded(
  { job }: JobView,
  verdict: Verdict | undefined,
  ended: readonly CachedPod[],
  status: Status,
): { pods: CachedPod[]; noted: Status; isFull: boolean } {
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
  const noted = { succeeded: new Set(succeeded), failed: new Set(failed) };
  const isFailing = verdict !== undefined && verdict.type !== 'SuccessCriteriaMet';
  const pods: CachedPod[] = [];
  for (const pod of ended) {
    pods.push(pod);
    const uid = pod.metadata.uid!;
    if (pod.status?.phase === 'Succeeded' && !noted.failed.has(uid)) {
      if (!isIndexed(job)) noted.succeeded.add(uid);
    } else if ((isPodFailed(pod, job) || isFailing) && hasValidIndex(pod, job) && isCounted(job, pod)) {
      noted.failed.add(uid);
    }
    if (noted.succeeded.size + noted.failed.size >= maxUncounted) break;
  }
  const uncountedTerminatedPods = uncountedOf([...noted.succeeded], [...noted.failed]);
  return { pods, noted: { ...status, uncountedTerminatedPods }, isFull: pods.length < ended.length };
}

/** Counts the pods that the job has let go of. @param tracked the uids of those that it has not */
function withCounted(status: Status, tracked: ReadonlySet<string>): Status {
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
  const left = [succeeded, failed].map((uids) => uids.filter((uid) => tracked.has(uid)));
  const [leftSucceeded = [], leftFailed = []] = left;
  return {
    ...status,
    ...withoutZeros({
      succeeded: (status.succeeded ?? 0) + succeeded.length - leftSucceeded.length,
      failed: (status.failed ?? 0) + failed.length - leftFailed.length,
    }),
    uncountedTerminatedPods: uncountedOf(leftSucceeded, leftFailed),
  };
}

function uncountedOf(succeeded: readonly string[], failed: readonly string[]) {
  return { ...(succeeded.length > 0 && { succeeded }), ...(failed.length > 0 && { failed }) };
}

/** Completed indexes need no uid: their set tells which ones are counted. */
function withIndexes({ job, completedIndexes, failedIndexes }: JobView, status: Status): Status {
  if (!isIndexed(job)) return status;
  const { succeeded: _, completedIndexes: _text, ...rest } = status;
  return {
    ...rest,
    ...withoutZeros({ succeeded: completedIndexes.size }),
    ...(completedIndexes.size > 0 && { completedIndexes: formatIndexes(completedIndexes) }),
    ...(failedIndexes && { failedIndexes: formatIndexes(failedIndexes) }),
  };
}

function withVerdict(status: Status, verdict: Verdict | undefined, now: number): Status {
  if (!verdict || verdict.type === 'Failed') return status;
  const conditions = status.conditions ?? [];
  if (isConditionTrue(conditions, verdict.type)) return status;
  return { ...status, conditions: [...conditions, conditionOf(verdict.type, 'True', verdict, now)] };
}

function finalCondition(verdict: Verdict, now: number): JobCondition {
  return conditionOf(verdict.type === 'SuccessCriteriaMet' ? 'Complete' : 'Failed', 'True', verdict, now);
}

function isSettled({ uncountedTerminatedPods = {}, terminating = 0 }: Status): boolean {
  const { succeeded = [], failed = [] } = uncountedTerminatedPods;
  return succeeded.length + failed.length === 0 && terminating === 0;
}

async function write(client: Client, job: CachedJob, status: Status): Promise<CachedJob> {
  if (isDeepStrictEqual(job.status, status)) return job;
  return client.status.update(Job, { ...job, status });
}
