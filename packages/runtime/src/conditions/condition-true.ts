import type { Condition, KubernetesObject } from 'ots-kubernetes';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import { findCondition } from './find-condition.ts';

interface Status {
  observedGeneration?: number | undefined;
  conditions?: readonly DeepReadonly<Condition>[] | undefined;
}

/**
 * Returns a predicate that holds when the condition of the object is `True` for its current generation: a controller
 * that has not seen the latest change yet may still report the condition of an earlier generation. As in `kubectl wait`,
 * the `observedGeneration` of the condition counts, or else that of the status; without either, any generation does.
 *
 * For `waitForObject`, and for `readyWhen` of workflows: `conditionTrue('Available')`.
 */
export function conditionTrue(type: string): (object: DeepReadonly<KubernetesObject> | undefined) => boolean {
  return (object) => {
    const condition = findCondition(conditionsOf(object), type);
    if (condition?.status !== 'True') return false;
    const observed = condition.observedGeneration ?? statusOf(object)?.observedGeneration;
    return observed === undefined || observed >= (object?.metadata.generation ?? 0);
  };
}

/** Returns the conditions of an object of any kind; empty when it has none. */
export function conditionsOf(
  object: DeepReadonly<KubernetesObject> | undefined,
): readonly DeepReadonly<Condition>[] {
  const conditions = statusOf(object)?.conditions;
  return Array.isArray(conditions) ? conditions : [];
}

function statusOf(object: DeepReadonly<KubernetesObject> | undefined): Status | undefined {
  return (object as { status?: Status } | undefined)?.status;
}
