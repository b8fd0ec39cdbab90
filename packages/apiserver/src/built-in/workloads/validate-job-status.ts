import type { Job, JobStatus } from 'ots-kubernetes/batch/v1';
import { jsonEqual } from '../../json/json-equal.ts';
import { type FieldError, duplicate, invalid, required } from '../../status/field-error.ts';
import { isFinished, hasCondition } from './job-conditions.ts';
import type { Specified } from './specified.ts';
import { validateJobConditions } from './validate-job-conditions.ts';
import { validateJobIndexes } from './validate-job-indexes.ts';
import { validateCounts } from './validate-replica-status.ts';

/**
 * Validates the new status of a job. Most rules apply only when their fields change, so the rest of an invalid
 * status stays writable.
 */
export function validateJobStatus(job: Specified<Job>, old: Specified<Job>): FieldError[] {
  const status = job.status ?? {};
  const names = ['active', 'succeeded', 'failed', 'ready', 'terminating'];
  return [
    ...validateCounts(status, names),
    ...validateUncounted(status),
    ...validateJobConditions(job, old),
    ...validateTimes(job, old),
    ...validateFinished(job, old),
    ...validateJobIndexes(job, old),
    ...validateCounters(job, old),
  ];
}

function validateUncounted({ uncountedTerminatedPods: pods = {} }: JobStatus): FieldError[] {
  const seen = new Set<string>();
  return (['succeeded', 'failed'] as const).flatMap((name) =>
    (pods[name] ?? []).flatMap((uid, index) => {
      const field = `status.uncountedTerminatedPods.${name}[${index}]`;
      if (uid === '') return [invalid(field, uid, 'must not be empty')];
      if (seen.has(uid)) return [duplicate(field, uid)];
      seen.add(uid);
      return [];
    }),
  );
}

function validateTimes(job: Specified<Job>, old: Specified<Job>): FieldError[] {
  const { startTime, completionTime } = job.status ?? {};
  const { startTime: oldStart, completionTime: oldCompletion } = old.status ?? {};
  const field = 'status.completionTime';
  const isStartChanged = startTime !== oldStart;
  const isCompletionChanged = completionTime !== oldCompletion;
  const isComplete = hasCondition(job, 'Complete');
  const errors: FieldError[] = [];
  if (isComplete !== hasCondition(old, 'Complete') || isCompletionChanged) {
    if (completionTime !== undefined && !isComplete)
      errors.push(
        invalid(field, completionTime, 'cannot set completionTime when there is no Complete=True condition'),
      );
    if (completionTime === undefined && isComplete)
      errors.push(required(field, 'completionTime is required for Complete jobs'));
  }
  if (isStartChanged || isCompletionChanged) {
    if (
      startTime !== undefined &&
      completionTime !== undefined &&
      Date.parse(completionTime) < Date.parse(startTime)
    )
      errors.push(invalid(field, completionTime, 'must be equal to or after `startTime`'));
  }
  if (completionTime !== undefined && oldCompletion !== undefined && isCompletionChanged)
    errors.push(invalid(field, completionTime, 'field is immutable'));
  const isResuming = hasCondition(old, 'Suspended') && hasCondition(job, 'Suspended', 'False');
  if (isStartChanged && oldStart !== undefined && !isResuming && !job.spec.suspend)
    errors.push(
      invalid('status.startTime', startTime ?? null, 'field is immutable for unsuspended job once set'),
    );
  return errors;
}

function validateFinished(job: Specified<Job>, old: Specified<Job>): FieldError[] {
  if (!isFinished(job)) return [];
  const status = job.status ?? {};
  const before = old.status ?? {};
  const { active = 0, terminating = 0, startTime, uncountedTerminatedPods: pods } = status;
  const hasFinished = !isFinished(old);
  const changes = (name: keyof JobStatus): boolean => hasFinished || !jsonEqual(status[name], before[name]);
  const { suspend, completions } = job.spec;
  const neverStarts = suspend === true && completions === 0;
  const count = (pods?.failed ?? []).length + (pods?.succeeded ?? []).length;
  // In Go's internal notation.
  const shown = { Succeeded: pods?.succeeded ?? null, Failed: pods?.failed ?? null };
  return [
    ...(changes('active') && active > 0
      ? [invalid('status.active', active, 'active>0 is invalid for finished job')]
      : []),
    ...(changes('startTime') && startTime === undefined && !neverStarts
      ? [required('status.startTime', 'startTime is required for finished job')]
      : []),
    ...(changes('uncountedTerminatedPods') && count > 0
      ? [invalid('status.uncountedTerminatedPods', shown, 'must be empty for finished job')]
      : []),
    ...(changes('terminating') && terminating > 0
      ? [invalid('status.terminating', terminating, 'terminating>0 is invalid for finished job')]
      : []),
  ];
}

function validateCounters(
  { spec, status = {} }: Specified<Job>,
  { status: old = {} }: Specified<Job>,
): FieldError[] {
  const { completionMode, completions, parallelism } = spec;
  const { active = 0, ready = 0, failed = 0, succeeded = 0 } = status;
  const canShrink = completionMode === 'Indexed' && completions === parallelism;
  const isReadyChanged = status.ready !== old.ready || active !== (old.active ?? 0);
  return [
    ...(isReadyChanged && ready > active
      ? [invalid('status.ready', ready, 'cannot set more ready pods than active')]
      : []),
    ...(failed < (old.failed ?? 0)
      ? [invalid('status.failed', failed, 'cannot decrease the failed counter')]
      : []),
    ...(!canShrink && succeeded < (old.succeeded ?? 0)
      ? [invalid('status.succeeded', succeeded, 'cannot decrease the succeeded counter')]
      : []),
  ];
}
