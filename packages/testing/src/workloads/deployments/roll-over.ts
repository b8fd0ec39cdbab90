import { type Sets, allOf, isComplete } from './deployment-status.ts';
import { desiredReplicas, maxUnavailable } from './limits.ts';
import { ensureNewest, findNewest, newestReplicas } from './newest-replica-set.ts';
import {
  type CachedDeployment,
  type CachedReplicaSet,
  active,
  byAge,
  replicasOf,
  sumReplicas,
  sumStatus,
} from './replica-set-list.ts';
import type { Rollout } from './rollout.ts';

/** Whether old pods go while new ones come. */
export function isRollingUpdate({ spec }: CachedDeployment): boolean {
  return spec?.strategy?.type === 'RollingUpdate';
}

/** Makes one step of a rolling update: more new pods if there is room, else fewer old ones if enough are available. */
export async function rollOver(rollout: Rollout, all: readonly CachedReplicaSet[]): Promise<Sets> {
  const sets = await ensureNewest(rollout, all);
  if (await growNewest(rollout, sets)) return sets;
  if (await shrinkOld(rollout, sets)) return sets;
  await cleanUpWhenComplete(rollout, sets);
  return sets;
}

/** Makes one step of a recreation: first no old pods, then all new ones. @param isOldRunning whether pods of old ReplicaSets run */
export async function recreate(
  rollout: Rollout,
  all: readonly CachedReplicaSet[],
  isOldRunning: (sets: Sets) => boolean,
): Promise<Sets> {
  const found = await findNewest(rollout, all);
  const running = active(found.old);
  for (const old of running) await rollout.scale(old, 0);
  if (running.length > 0 || isOldRunning(found)) return found;
  const sets = found.newest ? { ...found, newest: found.newest } : await ensureNewest(rollout, all);
  const desired = desiredReplicas(rollout.deployment);
  if (replicasOf(sets.newest) !== desired) await rollout.scale(sets.newest, desired);
  await cleanUpWhenComplete(rollout, sets);
  return sets;
}

async function cleanUpWhenComplete(rollout: Rollout, { old }: Sets): Promise<void> {
  const { deployment } = rollout;
  if (isComplete(deployment, deployment.status)) await rollout.cleanUp(old);
}

async function growNewest(rollout: Rollout, sets: Sets & { newest: CachedReplicaSet }): Promise<boolean> {
  const { deployment } = rollout;
  const replicas = replicasOf(sets.newest);
  const desired = desiredReplicas(deployment);
  const wanted = replicas > desired ? desired : newestReplicas(deployment, allOf(sets), replicas);
  if (wanted === replicas) return false;
  await rollout.scale(sets.newest, wanted);
  return true;
}

async function shrinkOld(rollout: Rollout, sets: Sets & { newest: CachedReplicaSet }): Promise<boolean> {
  const { deployment } = rollout;
  const minAvailable = desiredReplicas(deployment) - maxUnavailable(deployment);
  const newestUnavailable = replicasOf(sets.newest) - (sets.newest.status?.availableReplicas ?? 0);
  const removable = sumReplicas(allOf(sets)) - minAvailable - newestUnavailable;
  const old = active(sets.old).toSorted(byAge);
  if (old.length === 0 || removable <= 0) return false;
  // First those that are not available anyway: they would block the rollout.
  const cleaned = await shrink(rollout, old, removable, unavailable);
  if (!cleaned) return false;
  const spare = sumStatus([...cleaned.sets, sets.newest], 'availableReplicas') - minAvailable;
  const shrunk = await shrink(rollout, cleaned.sets, spare, replicasOf);
  return cleaned.count + (shrunk?.count ?? 0) > 0;
}

function unavailable(set: CachedReplicaSet): number {
  return replicasOf(set) - (set.status?.availableReplicas ?? 0);
}

/**
 * Takes up to `max` pods from ReplicaSets, in their order.
 *
 * @returns undefined if the status of a ReplicaSet is older than its size: it does not say yet how many of its pods are available
 */
async function shrink(
  rollout: Rollout,
  sets: readonly CachedReplicaSet[],
  max: number,
  removable: (set: CachedReplicaSet) => number,
): Promise<{ sets: CachedReplicaSet[]; count: number } | undefined> {
  const shrunk: CachedReplicaSet[] = [];
  let count = 0;
  for (const set of sets) {
    const removed = count < max ? Math.min(max - count, removable(set)) : 0;
    if (removed < 0) return undefined;
    shrunk.push(removed === 0 ? set : await rollout.scale(set, replicasOf(set) - removed));
    count += removed;
  }
  return { sets: shrunk, count };
}
