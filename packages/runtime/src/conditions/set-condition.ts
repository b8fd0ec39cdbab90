import type { Condition } from 'ots-kubernetes';
import { type ConditionList, type SomeCondition, findCondition } from './find-condition.ts';

/**
 * A condition to set; `lastTransitionTime` is filled in when absent. Set `observedGeneration`, where the type has it, to
 * the `metadata.generation` of the object that the condition was found with.
 */
export type ConditionUpdate<C extends SomeCondition = Condition> = Omit<
  C,
  'lastTransitionTime' | 'observedGeneration'
> & {
  [K in Extract<keyof C, 'lastTransitionTime' | 'observedGeneration'>]?: C[K] | undefined;
};

/**
 * The conditions with the given one set, in a new list; the others and their order stay, and a new one comes last.
 * `lastTransitionTime` changes only when `status` does, as clients of conditions expect; everything else is as in
 * `condition`, also an `observedGeneration` that it does not have. Conditions of built-in kinds keep their type.
 * Setting an equal condition returns an equal list. The semantics are those of `meta.SetStatusCondition` of
 * apimachinery.
 * @param now the time of a change; the present by default.
 */
export function setCondition<C extends SomeCondition = Condition>(
  conditions: ConditionList<C>,
  condition: ConditionUpdate<NoInfer<C>>,
  now: Date = new Date(),
): C[] {
  // Its type says what it has: the fields that are filled in, and those that are left out, are the same for all.
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

/** The conditions without the one of the type, in a new list; the others and their order stay. */
export function removeCondition<C extends SomeCondition>(conditions: ConditionList<C>, type: C['type']): C[] {
  return (conditions ?? []).filter((condition) => condition.type !== type);
}
