import type { Condition } from 'ots-kubernetes';
import type { DeepReadonly } from '../objects/deep-readonly.ts';

/** The fields that all conditions share; those of built-in kinds (Job, Pod, Deployment) differ in the rest. */
export interface SomeCondition {
  /** In CamelCase, such as `Ready`; unique in the list. */
  readonly type: string;
  /** `True`, `False` or `Unknown`. */
  readonly status: string;
  /** When `status` last changed. */
  readonly lastTransitionTime?: string;
}

/** The conditions of an object as the server returns them; undefined until the first is set. */
export type ConditionList<C extends SomeCondition = DeepReadonly<Condition>> = readonly C[] | undefined;

/** Returns the condition of the type, or undefined. */
export function findCondition<C extends SomeCondition>(
  conditions: ConditionList<C>,
  type: C['type'],
): C | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** Returns true when the condition exists with status `True`; false also when it is absent or `Unknown`. */
export function isConditionTrue<C extends SomeCondition>(
  conditions: ConditionList<C>,
  type: C['type'],
): boolean {
  return findCondition(conditions, type)?.status === 'True';
}

/** Returns true when the condition exists with status `False`; false also when it is absent or `Unknown`. */
export function isConditionFalse<C extends SomeCondition>(
  conditions: ConditionList<C>,
  type: C['type'],
): boolean {
  return findCondition(conditions, type)?.status === 'False';
}
