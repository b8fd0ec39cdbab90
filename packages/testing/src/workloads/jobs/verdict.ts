import { isConditionTrue, findCondition } from 'ots-runtime';
import type { CachedPod } from '../pods/pod-state.ts';
import { parseIndexes } from './index-set.ts';
import { isPodFailed, isSuspended } from './job-facts.ts';
import type { JobView } from './job-view.ts';
import { decideFailure } from './pod-failure-policy.ts';

/** How a job ends, and why. */
export interface Verdict {
  /** The condition that the job gets first, or `Failed` if it has that one already. */
  readonly type: 'FailureTarget' | 'Failed' | 'SuccessCriteriaMet';
  readonly reason: string;
  readonly message: string;
}

/** The job has all the successes that it needs. */
export const completionsReached: Verdict = {
  type: 'SuccessCriteriaMet',
  reason: 'CompletionsReached',
  message: 'Reached expected number of succeeded pods',
};

/** @param now in milliseconds since 1970 @returns undefined if nothing but the number of its successes ends the job */
export function judge(view: JobView, now: number): Verdict | undefined {
  return (
    earlierVerdict(view) ??
    policyFailure(view) ??
    limitFailure(view, now) ??
    indexFailure(view) ??
    policySuccess(view)
  );
}

/** How long the job may still be active, in milliseconds; undefined without a deadline. */
export function untilDeadline({ job }: JobView, now: number): number | undefined {
  const seconds = job.spec?.activeDeadlineSeconds;
  if (seconds === undefined || isSuspended(job)) return undefined;
  const { startTime } = job.status ?? {};
  return (startTime === undefined ? now : Date.parse(startTime)) + seconds * 1000 - now;
}

function earlierVerdict({ job }: JobView): Verdict | undefined {
  const { conditions } = job.status ?? {};
  if (isConditionTrue(conditions, 'SuccessCriteriaMet')) {
    const { reason = '', message = '' } = findCondition(conditions, 'SuccessCriteriaMet')!;
    return { type: 'SuccessCriteriaMet', reason, message };
  }
  if (!isConditionTrue(conditions, 'FailureTarget')) return undefined;
  const { reason = '', message = '' } = findCondition(conditions, 'FailureTarget')!;
  return { type: 'Failed', reason, message };
}

function policyFailure({ job, pods }: JobView): Verdict | undefined {
  for (const pod of pods) {
    const message = isPodFailed(pod, job) ? decideFailure(job, pod)?.message : undefined;
    if (message !== undefined) return fail('PodFailurePolicy', message);
  }
  return undefined;
}

function limitFailure(view: JobView, now: number): Verdict | undefined {
  const { job, failed } = view;
  if (failed > (job.spec?.backoffLimit ?? 6) || hasRestartedTooOften(view))
    return fail('BackoffLimitExceeded', 'Job has reached the specified backoff limit');
  if ((untilDeadline(view, now) ?? 1) <= 0)
    return fail('DeadlineExceeded', 'Job was active longer than specified deadline');
  return undefined;
}

function hasRestartedTooOften({ job, pods }: JobView): boolean {
  if (job.spec?.template.spec?.restartPolicy !== 'OnFailure') return false;
  const limit = job.spec.backoffLimit ?? 6;
  const restarts = pods.map(restartsOf).reduce((sum, count) => sum + count, 0);
  return restarts >= Math.max(1, limit);
}

function restartsOf({ status }: CachedPod): number {
  if (status?.phase !== 'Running' && status?.phase !== 'Pending') return 0;
  return [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])]
    .map(({ restartCount }) => restartCount)
    .reduce((sum, count) => sum + count, 0);
}

function indexFailure({ job, failedIndexes, completedIndexes }: JobView): Verdict | undefined {
  if (!failedIndexes || failedIndexes.size === 0) return undefined;
  const { maxFailedIndexes = Infinity, completions = 0 } = job.spec ?? {};
  if (failedIndexes.size > maxFailedIndexes)
    return fail(
      'MaxFailedIndexesExceeded',
      'Job has exceeded the specified maximal number of failed indexes',
    );
  if (failedIndexes.size + completedIndexes.size >= completions)
    return fail('FailedIndexes', 'Job has failed indexes');
  return undefined;
}

function policySuccess({ job, completedIndexes }: JobView): Verdict | undefined {
  if (completedIndexes.size === 0) return undefined;
  const { successPolicy, completions = 0 } = job.spec ?? {};
  const index = (successPolicy?.rules ?? []).findIndex((rule) => {
    const { succeededCount = Infinity, succeededIndexes } = rule;
    if (succeededIndexes === undefined) return completedIndexes.size >= succeededCount;
    const required = parseIndexes(succeededIndexes, completions);
    const reached = [...required].filter((each) => completedIndexes.has(each)).length;
    return required.size > 0 && reached >= Math.min(required.size, succeededCount);
  });
  if (index < 0) return undefined;
  return { type: 'SuccessCriteriaMet', reason: 'SuccessPolicy', message: `Matched rules at index ${index}` };
}

function fail(reason: string, message: string): Verdict {
  return { type: 'FailureTarget', reason, message };
}
