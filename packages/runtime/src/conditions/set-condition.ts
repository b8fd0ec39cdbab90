import type { Condition } from 'ots-kubernetes';
import type { DeepReadonly } from '../objects/deep-readonly.ts';

/** A condition to set; `lastTransitionTime` is filled in when absent. */
export type ConditionUpdate = Omit<Condition, 'lastTransitionTime' | 'observedGeneration'> & {
  observedGeneration?: Condition['observedGeneration'] | undefined;
  lastTransitionTime?: string | undefined;
};

/**
 * The conditions with the given one set, in a new list; the others and their order stay.
 * `lastTransitionTime` changes only when `status` does, as clients of conditions expect.
 * @param now the time of a change; the present by default.
 */
export function setCondition(
  conditions: DeepReadonly<Condition[]> | undefined,
  condition: ConditionUpdate,
  now: Date = new Date(),
): Condition[] {
  const existing = conditions?.find(({ type }) => type === condition.type);
  const changedAt = condition.lastTransitionTime ?? `${now.toISOString().slice(0, 19)}Z`;
  const lastTransitionTime = existing?.status === condition.status ? existing.lastTransitionTime : changedAt;
  const { observedGeneration, ...rest } = condition;
  const updated: Condition = {
    ...rest,
    ...(observedGeneration !== undefined && { observedGeneration }),
    lastTransitionTime,
  };
  if (!existing) return [...(conditions ?? []), updated];
  return conditions!.map((each) => (each === existing ? updated : each));
}
