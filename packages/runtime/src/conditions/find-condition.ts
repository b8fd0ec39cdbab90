import type { Condition } from 'ots-kubernetes';
import type { DeepReadonly } from '../objects/deep-readonly.ts';

/** The fields that all conditions share; those of built-in kinds (Job, Pod, Deployment) differ in the rest. */
export interface SomeCondition {
  /** In CamelCase, such as `Ready`; one of the list has it. */
  readonly type: string;
  /** `True`, `False` or `Unknown`. */
  readonly status: string;
  /** When `status` last changed. */
  readonly lastTransitionTime?: string;
}

/** The conditions of an object, as they are read; undefined until the first is set. */
export type ConditionList<C extends SomeCondition = DeepReadonly<Condition>> = readonly C[] | undefined;

/** The condition of the type, or undefined. */
export function findCondition<C extends SomeCondition>(
  conditions: ConditionList<C>,
  type: C['type'],
): C | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** True when the condition is there with status `True`; false too when it is absent or `Unknown`. */
export function isConditionTrue<C extends SomeCondition>(
  conditions: ConditionList<C>,
  type: C['type'],
): boolean {
  return findCondition(conditions, type)?.status === 'True';
}

/** True when the condition is there with status `False`; absent and `Unknown` are neither. */
export function isConditionFalse<C extends SomeCondition>(
  conditions: ConditionList<C>,
  type: C['type'],
): boolean {
  return findCondition(conditions, type)?.status === 'False';
}
