import type { Condition } from 'ots-kubernetes';
import type { DeepReadonly } from '../objects/deep-readonly.ts';

/** The conditions of an object, as they are read; undefined until the first is set. */
export type ConditionList = DeepReadonly<Condition[]> | undefined;

/** The condition of the type, or undefined. */
export function findCondition(conditions: ConditionList, type: string): DeepReadonly<Condition> | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** True when the condition is there with status `True`; false too when it is absent or `Unknown`. */
export function isConditionTrue(conditions: ConditionList, type: string): boolean {
  return findCondition(conditions, type)?.status === 'True';
}

/** True when the condition is there with status `False`; absent and `Unknown` are neither. */
export function isConditionFalse(conditions: ConditionList, type: string): boolean {
  return findCondition(conditions, type)?.status === 'False';
}
