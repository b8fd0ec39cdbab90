import { type DeepReadonly, findCondition } from 'ots-runtime';
import type { DeploymentStatus } from 'ots-kubernetes/apps/v1';
import { withoutZeros } from '../without-zeros.ts';
import { type Conditions, renewedCondition, withCondition, withoutCondition } from './conditions.ts';
import { desiredReplicas, maxUnavailable } from './limits.ts';
import { type CachedDeployment, type CachedReplicaSet, sumReplicas, sumStatus } from './replica-set-list.ts';

/** A status as it was computed or read. */
export type Status = DeepReadonly<DeploymentStatus>;

/** The ReplicaSets of a Deployment. */
export interface Sets {
  /** The one with the template of the Deployment; undefined until it exists. */
  readonly newest: CachedReplicaSet | undefined;
  readonly old: readonly CachedReplicaSet[];
}

/** All ReplicaSets. */
export function allOf({ newest, old }: Sets): CachedReplicaSet[] {
  return newest ? [...old, newest] : [...old];
}

/** Whether a Deployment wants to know if its rollout takes too long. The largest number means no deadline. */
export function hasDeadline({ spec }: CachedDeployment): boolean {
  return spec?.progressDeadlineSeconds !== undefined && spec.progressDeadlineSeconds !== 2 ** 31 - 1;
}

/** Counts and availability of a Deployment. @param now in milliseconds since 1970 */
export function countedStatus(deployment: CachedDeployment, sets: Sets, now: number): Status {
  const { status, metadata } = deployment;
  const all = allOf(sets);
  const availableReplicas = sumStatus(all, 'availableReplicas');
  const isAvailable = availableReplicas >= desiredReplicas(deployment) - maxUnavailable(deployment);
  const conditions = withCondition(
    status?.conditions ?? [],
    {
      type: 'Available',
      status: isAvailable ? 'True' : 'False',
      reason: `MinimumReplicas${isAvailable ? 'Available' : 'Unavailable'}`,
      message: `Deployment ${isAvailable ? 'has' : 'does not have'} minimum availability.`,
    },
    now,
  );
  return {
    ...withoutZeros({
      observedGeneration: metadata.generation ?? 0,
      replicas: sumStatus(all, 'replicas'),
      updatedReplicas: sumStatus(sets.newest ? [sets.newest] : [], 'replicas'),
      readyReplicas: sumStatus(all, 'readyReplicas'),
      availableReplicas,
      unavailableReplicas: Math.max(0, sumReplicas(all) - availableReplicas),
    }),
    terminatingReplicas: sumStatus(all, 'terminatingReplicas'),
    ...(status?.collisionCount !== undefined && { collisionCount: status.collisionCount }),
    conditions,
  };
}

/** The status of a Deployment during a rollout: also how it progresses. @param now in milliseconds since 1970 */
export function rolloutStatus(deployment: CachedDeployment, sets: Sets, now: number): Status {
  const status = countedStatus(deployment, sets, now);
  const conditions = withFailure(withProgress(deployment, status, sets, now), sets, now);
  return { ...status, conditions };
}

/** Whether all pods are new and available. */
export function isComplete(deployment: CachedDeployment, status: Status = {}): boolean {
  const { replicas = 0, updatedReplicas = 0, availableReplicas = 0, observedGeneration = 0 } = status;
  const desired = desiredReplicas(deployment);
  const areAll = [replicas, updatedReplicas, availableReplicas].every((count) => count === desired);
  return areAll && observedGeneration >= (deployment.metadata.generation ?? 0);
}

function withProgress(
  deployment: CachedDeployment,
  status: Status,
  { newest }: Sets,
  now: number,
): Conditions {
  const conditions = status.conditions ?? [];
  if (!hasDeadline(deployment)) return withoutCondition(conditions, 'Progressing');
  const current = findCondition(conditions, 'Progressing');
  const isDone = current?.reason === 'NewReplicaSetAvailable' && status.replicas === status.updatedReplicas;
  if (isDone) return conditions;
  const subject = newest
    ? `ReplicaSet "${newest.metadata.name}"`
    : `Deployment "${deployment.metadata.name}"`;
  const type = 'Progressing';
  if (isComplete(deployment, status)) {
    const message = `${subject} has successfully progressed.`;
    return withCondition(
      conditions,
      { type, status: 'True', reason: 'NewReplicaSetAvailable', message },
      now,
    );
  }
  if (hasProgressed(deployment.status ?? {}, status)) {
    const message = `${subject} is progressing.`;
    // Progress is news, also with the same reason.
    return renewedCondition(conditions, { type, status: 'True', reason: 'ReplicaSetUpdated', message }, now);
  }
  if (isTimedOut(deployment, current, now)) {
    const message = `${subject} has timed out progressing.`;
    return withCondition(
      conditions,
      { type, status: 'False', reason: 'ProgressDeadlineExceeded', message },
      now,
    );
  }
  return conditions;
}

function hasProgressed(before: Status, after: Status): boolean {
  const grown = (['updatedReplicas', 'readyReplicas', 'availableReplicas'] as const).some(
    (count) => (after[count] ?? 0) > (before[count] ?? 0),
  );
  return grown || oldReplicas(after) < oldReplicas(before);
}

function oldReplicas({ replicas = 0, updatedReplicas = 0 }: Status): number {
  return replicas - updatedReplicas;
}

function isTimedOut(
  deployment: CachedDeployment,
  progress: Conditions[number] | undefined,
  now: number,
): boolean {
  if (!progress || progress.reason === 'NewReplicaSetAvailable') return false;
  if (progress.reason === 'ProgressDeadlineExceeded') return true;
  return deadlineOf(deployment, progress) < now;
}

/** When a rollout that stands still fails, in milliseconds since 1970. */
export function deadlineOf({ spec }: CachedDeployment, progress: Conditions[number]): number {
  return Date.parse(progress.lastUpdateTime ?? '') + (spec?.progressDeadlineSeconds ?? 0) * 1000;
}

/** With the failure of a ReplicaSet, of the newest if it has one. */
function withFailure(conditions: Conditions, sets: Sets, now: number): Conditions {
  const newestFirst = [...(sets.newest ? [sets.newest] : []), ...sets.old];
  const failures = newestFirst.flatMap(
    ({ status }) => findCondition(status?.conditions, 'ReplicaFailure') ?? [],
  );
  const [failure] = failures;
  if (!failure) return withoutCondition(conditions, 'ReplicaFailure');
  const { status, reason = '', message = '', lastTransitionTime } = failure;
  const since = lastTransitionTime === undefined ? now : Date.parse(lastTransitionTime);
  return withCondition(conditions, { type: 'ReplicaFailure', status, reason, message }, since);
}
