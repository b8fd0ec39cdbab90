import type { DeepReadonly } from 'ots-runtime';
import type { DeploymentCondition } from 'ots-kubernetes/apps/v1';
import { timeText } from '../time-text.ts';

/** The conditions of a Deployment. */
export type Conditions = readonly DeepReadonly<DeploymentCondition>[];

/** What a condition says. */
export type Said = Pick<DeploymentCondition, 'type' | 'status'> & { reason: string; message: string };

/**
 * Conditions with another one. One that says the same with the same reason stays as it is: its message and times do not change.
 *
 * @param now in milliseconds since 1970
 */
export function withCondition(conditions: Conditions, said: Said, now: number): Conditions {
  const before = conditions.find(({ type }) => type === said.type);
  if (before?.status === said.status && before.reason === said.reason) return conditions;
  return renewedCondition(conditions, said, now);
}

/** Conditions with another one, also if it says the same again. */
export function renewedCondition(conditions: Conditions, said: Said, now: number): Conditions {
  const before = conditions.find(({ type }) => type === said.type);
  const lastUpdateTime = timeText(now);
  const kept = before?.status === said.status ? before.lastTransitionTime : undefined;
  const condition = { ...said, lastUpdateTime, lastTransitionTime: kept ?? lastUpdateTime };
  return [...withoutCondition(conditions, said.type), condition];
}

/** Conditions without those of a type. */
export function withoutCondition(conditions: Conditions, removed: string): Conditions {
  return conditions.filter(({ type }) => type !== removed);
}
