import type { ConditionList, SomeCondition } from './find-condition.ts';

/** The conditions without the one of the type, in a new list; the others and their order stay. */
export function removeCondition<C extends SomeCondition>(conditions: ConditionList<C>, type: C['type']): C[] {
  return (conditions ?? []).filter((condition) => condition.type !== type);
}
