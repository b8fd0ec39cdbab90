import type { ClusterServiceVersionStatus } from '../kinds.ts';

/** What a ClusterServiceVersion is in, and why. */
export interface Phase {
  readonly phase: string;
  readonly reason: string;
  readonly message: string;
}

/** How many conditions OLM keeps. */
const maxConditions = 20;

/** Whether a status has a phase already, with the same reason and message. */
export function hasPhase(
  status: ClusterServiceVersionStatus | undefined,
  { phase, reason, message }: Phase,
): boolean {
  return status?.phase === phase && status.reason === reason && status.message === message;
}

/** A status with another phase. */
export function withPhase(
  status: ClusterServiceVersionStatus,
  { phase, reason, message }: Phase,
  now: string,
): ClusterServiceVersionStatus {
  const { conditions = [], phase: before, lastTransitionTime } = status;
  const changed = before === phase && lastTransitionTime !== undefined ? lastTransitionTime : now;
  const last = conditions.at(-1);
  const condition = { phase, reason, message, lastUpdateTime: now, lastTransitionTime: changed };
  const isNew = last?.phase !== phase || last.reason !== reason;
  return {
    ...status,
    phase,
    reason,
    message,
    lastUpdateTime: now,
    lastTransitionTime: changed,
    conditions: (isNew ? [...conditions, condition] : conditions).slice(-maxConditions),
  };
}
