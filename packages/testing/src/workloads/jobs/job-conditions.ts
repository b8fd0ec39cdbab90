import type { DeepReadonly } from 'ots-runtime';
import type { JobCondition } from 'ots-kubernetes/batch/v1';
import { timeText } from '../time-text.ts';

type Conditions = readonly DeepReadonly<JobCondition>[];

/** A condition of a job. @param now in milliseconds since 1970 */
export function conditionOf(
  type: string,
  status: 'True' | 'False',
  { reason, message }: { reason: string; message: string },
  now: number,
): JobCondition {
  const time = timeText(now);
  return { type, status, reason, message, lastProbeTime: time, lastTransitionTime: time };
}

/** The conditions with one of them set in its place. A condition that was never true cannot become false. */
export function withCondition(conditions: Conditions, wanted: JobCondition): Conditions {
  const before = conditions.find(({ type }) => type === wanted.type);
  if (!before) return wanted.status === 'False' ? conditions : [...conditions, wanted];
  const { status, reason, message } = before;
  if (status === wanted.status && reason === wanted.reason && message === wanted.message) return conditions;
  return conditions.map((condition) => (condition === before ? wanted : condition));
}
