import type { Condition } from 'ots-kubernetes';
import type { DeepReadonly } from '../objects/deep-readonly.ts';

/** Conditions as they are read from an object; absent until the first is set. */
export type Conditions = DeepReadonly<Condition[]> | undefined;

/** The condition of the type, or undefined. */
export function findCondition(conditions: Conditions, type: string): DeepReadonly<Condition> | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** True when the condition is there with status `True`; false too when it is absent or `Unknown`. */
export function isConditionTrue(conditions: Conditions, type: string): boolean {
  return findCondition(conditions, type)?.status === 'True';
}

/** True when the condition is there with status `False`; absent and `Unknown` are neither. */
export function isConditionFalse(conditions: Conditions, type: string): boolean {
  return findCondition(conditions, type)?.status === 'False';
}
