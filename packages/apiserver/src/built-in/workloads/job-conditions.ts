import type { Job } from 'ots-kubernetes/batch/v1';

/** Whether a job has a condition of this type with this status. */
export function hasCondition({ status }: { status?: Job['status'] }, type: string, value = 'True'): boolean {
  return (status?.conditions ?? []).some(
    (condition) => condition.type === type && condition.status === value,
  );
}

/** Whether a job has succeeded or failed. */
export function isFinished(job: { status?: Job['status'] }): boolean {
  return hasCondition(job, 'Complete') || hasCondition(job, 'Failed');
}
