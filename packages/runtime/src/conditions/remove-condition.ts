import type { Condition } from 'ots-kubernetes';
import type { ConditionList } from './find-condition.ts';

/** The conditions without the one of the type, in a new list; the others and their order stay. */
export function removeCondition(conditions: ConditionList, type: string): Condition[] {
  return (conditions ?? []).filter((condition) => condition.type !== type);
}
