import type { Condition } from 'ots-kubernetes';
import { currentEpoch } from '../context/work-context.ts';
import { type ConditionList, type SomeCondition, findCondition } from './find-condition.ts';

/**
 * A condition to set; `lastTransitionTime` is filled in when absent. If the type has `observedGeneration`, set it to the
 * `metadata.generation` of the object that the condition describes.
 */
export type ConditionUpdate<C extends SomeCondition = Condition> = Omit<
  C,
  'lastTransitionTime' | 'observedGeneration'
> & {
  [K in Extract<keyof C, 'lastTransitionTime' | 'observedGeneration'>]?: C[K] | undefined;
};

/**
 * Returns a new list with the condition set; the others keep their order, and a new condition comes last.
 * `lastTransitionTime` changes only when `status` does, as clients of conditions expect; everything else is as in
 * `condition`, even a missing `observedGeneration`. Conditions of built-in kinds keep their type. Setting an equal
 * condition returns an equal list. The semantics are those of `meta.SetStatusCondition` of apimachinery.
 * @param now the time of a change; the current time by default, in a reconcile that of the manager's clock.
 */
export function setCondition<C extends SomeCondition = Condition>(
  conditions: ConditionList<C>,
  condition: ConditionUpdate<NoInfer<C>>,
  now: Date = new Date(currentEpoch()),
): C[] {
  // Safe: the fields that are added or omitted here are the same for all types.
  const { observedGeneration, lastTransitionTime, ...rest } = condition as unknown as ConditionUpdate;
  const existing = findCondition(conditions, rest.type);
  const kept = existing?.status === rest.status ? existing.lastTransitionTime : lastTransitionTime;
  const updated = {
    ...rest,
    ...(observedGeneration !== undefined && { observedGeneration }),
    lastTransitionTime: kept ?? `${now.toISOString().slice(0, 19)}Z`,
  } as unknown as C;
  if (!existing) return [...(conditions ?? []), updated];
  return conditions!.map((each) => (each === existing ? updated : each));
}

/** Returns a new list without the condition of the type; the others keep their order. */
export function removeCondition<C extends SomeCondition>(conditions: ConditionList<C>, type: C['type']): C[] {
  return (conditions ?? []).filter((condition) => condition.type !== type);
}
