import type { Condition, KubernetesObject } from 'ots-kubernetes';
import { conditionsOf } from '../conditions/condition-true.ts';
import { findCondition } from '../conditions/find-condition.ts';
import { type ConditionUpdate, setCondition } from '../conditions/set-condition.ts';
import { errorMessage } from '../errors/error-message.ts';
import { maskCredentials } from '../logging/mask-credentials.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import { createStartedAnnotation, idAnnotation } from './external-identity.ts';

/** Whether the external resource matches the object, or can be used. */
export type ExternalCondition = Pick<Condition, 'status' | 'reason' | 'message'>;

/** Long enough for what an API says, and short enough for a table. */
const maxMessageLength = 1024;

export const synced: ExternalCondition = { status: 'True', reason: 'ReconcileSuccess', message: '' };
export const updating: ExternalCondition = {
  status: 'False',
  reason: 'Updating',
  message: 'the change has not taken effect yet',
};
export const creating: ExternalCondition = {
  status: 'False',
  reason: 'Creating',
  message: 'the external resource does not exist yet',
};
export const deleting: ExternalCondition = {
  status: 'False',
  reason: 'Deleting',
  message: 'the external resource may still exist',
};

/**
 * Says whether the external resource can be used. One that never could is still being created.
 * @param ready as in an `Observation`.
 */
export function availability(
  ready: boolean | string,
  object: DeepReadonly<KubernetesObject>,
): ExternalCondition {
  if (ready === true) return { status: 'True', reason: 'Available', message: '' };
  const { reason = creating.reason } = findCondition(conditionsOf(object), 'Ready') ?? {};
  return {
    status: 'False',
    reason: reason === creating.reason ? reason : 'Unavailable',
    message: shortened(ready || 'the external resource is not ready'),
  };
}

/** Everyone who can read the object can read the message. */
export function failed(error: unknown): ExternalCondition {
  return {
    status: 'False',
    reason: 'ReconcileError',
    message: shortened(maskCredentials(errorMessage(error))),
  };
}

/** @param since when the creation began. */
export function createUnknown(since: string): ExternalCondition {
  return {
    status: 'False',
    reason: 'CreateUnknown',
    message: `the result of the creation that began at ${since} was lost. If it made something, set the annotation ${idAnnotation} to its ID. If not, remove the annotation ${createStartedAnnotation}`,
  };
}

/** Returns the conditions of the object with these two set; undefined leaves one as it is. */
export function withConditions(
  object: DeepReadonly<KubernetesObject>,
  { Synced, Ready }: { Synced: ExternalCondition; Ready: ExternalCondition | undefined },
  now: Date,
): readonly DeepReadonly<Condition>[] {
  const { generation: observedGeneration } = object.metadata;
  const all = { Synced, Ready };
  let conditions = conditionsOf(object);
  for (const type of ['Synced', 'Ready'] as const) {
    const condition = all[type];
    const update: ConditionUpdate | undefined = condition && { type, ...condition, observedGeneration };
    if (update) conditions = setCondition(conditions, update, now);
  }
  return conditions;
}

function shortened(message: string): string {
  return message.length > maxMessageLength ? `${message.slice(0, maxMessageLength - 1)}…` : message;
}
