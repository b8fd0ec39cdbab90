import type { JobSpec } from 'ots-kubernetes/batch/v1';

const unlimited = 2_147_483_647;

/** Sets the defaults of a job's spec except for its template. Changes it. */
export function setJobDefaults(spec: JobSpec): void {
  if (spec.parallelism === undefined) spec.completions ??= 1;
  spec.parallelism ??= 1;
  spec.backoffLimit ??= spec.backoffLimitPerIndex === undefined ? 6 : unlimited;
  spec.completionMode ??= 'NonIndexed';
  spec.suspend ??= false;
  spec.podReplacementPolicy ??= spec.podFailurePolicy ? 'Failed' : 'TerminatingOrFailed';
  spec.manualSelector ??= false;
  setPatternDefaults(spec);
}

/** Sets the defaults of a job's pod failure policy. Changes it. */
export function setPatternDefaults({ podFailurePolicy }: JobSpec): void {
  for (const { onPodConditions = [] } of podFailurePolicy?.rules ?? [])
    for (const pattern of onPodConditions) pattern.status ||= 'True';
}
