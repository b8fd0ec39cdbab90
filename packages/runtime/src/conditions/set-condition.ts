import type { Condition } from 'ots-kubernetes';
import { type ConditionList, findCondition } from './find-condition.ts';

/** A condition to set; `lastTransitionTime` is filled in when absent. */
export type ConditionUpdate = Omit<Condition, 'lastTransitionTime' | 'observedGeneration'> & {
  /** The `metadata.generation` of the object that the condition was found with. Set it where the type has it. */
  observedGeneration?: Condition['observedGeneration'] | undefined;
  lastTransitionTime?: string | undefined;
};

/**
 * The conditions with the given one set, in a new list; the others and their order stay, and a new one comes last.
 * `lastTransitionTime` changes only when `status` does, as clients of conditions expect; everything else is as in
 * `condition`, also an `observedGeneration` that it does not have. Setting what is there already gives an equal list.
 * The semantics are those of `meta.SetStatusCondition` of apimachinery.
 * @param now the time of a change; the present by default.
 */
export function setCondition(
  conditions: ConditionList,
  condition: ConditionUpdate,
  now: Date = new Date(),
): Condition[] {
  const existing = findCondition(conditions, condition.type);
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
