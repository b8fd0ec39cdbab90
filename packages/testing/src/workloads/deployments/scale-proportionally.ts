import { isRollingUpdate } from './roll-over.ts';
import { type Sets, allOf } from './deployment-status.ts';
import { desiredReplicas, maxReplicas } from './limits.ts';
import {
  type CachedDeployment,
  type CachedReplicaSet,
  active,
  byAge,
  bySize,
  replicasOf,
  sumReplicas,
} from './replica-set-list.ts';
import { recordedSize } from './revisions.ts';
import type { Rollout } from './rollout.ts';

/** Whether a Deployment was scaled since its ReplicaSets were. */
export function isScaled(deployment: CachedDeployment, sets: Sets): boolean {
  return active(allOf(sets)).some((set) => {
    const { desired } = recordedSize(set);
    return desired !== undefined && desired !== desiredReplicas(deployment);
  });
}

/**
 * Gives a Deployment the number of pods that it asks for without going on with its rollout: each ReplicaSet gets its share, so a
 * template that does not work gets no larger one.
 */
export async function scaleProportionally(rollout: Rollout, sets: Sets): Promise<void> {
  const { deployment } = rollout;
  const desired = desiredReplicas(deployment);
  const only = onlyActive(sets);
  if (only) {
    if (replicasOf(only) !== desired) await rollout.scale(only, desired);
  } else if (isSaturated(deployment, sets.newest)) {
    for (const old of active(sets.old)) await rollout.scale(old, 0);
  } else if (isRollingUpdate(deployment)) {
    const shares = sharesOf(deployment, active(allOf(sets)));
    for (const [set, replicas] of shares) await rollout.scale(set, replicas);
  }
}

/** The only ReplicaSet with pods, or the newest if none has any. */
function onlyActive({ newest, old }: Sets): CachedReplicaSet | undefined {
  const newestFirst = [...(newest ? [newest] : []), ...old.toSorted(byAge).toReversed()];
  const running = active(newestFirst);
  return running.length > 1 ? undefined : (running[0] ?? newestFirst[0]);
}

function isSaturated(deployment: CachedDeployment, newest: CachedReplicaSet | undefined): boolean {
  if (!newest) return false;
  const desired = desiredReplicas(deployment);
  const sizes = [replicasOf(newest), recordedSize(newest).desired, newest.status?.availableReplicas ?? 0];
  return sizes.every((size) => size === desired);
}

/** The new sizes, the largest ReplicaSet first: it also gets what rounding leaves over. */
function sharesOf(
  deployment: CachedDeployment,
  sets: readonly CachedReplicaSet[],
): [set: CachedReplicaSet, replicas: number][] {
  const allowed = desiredReplicas(deployment) > 0 ? maxReplicas(deployment) : 0;
  const total = allowed - sumReplicas(sets);
  const sorted = total === 0 ? sets : sets.toSorted(bySize(total > 0 ? newerFirst : byAge));
  let left = total;
  const shares = sorted.map((set): [CachedReplicaSet, number] => {
    const share =
      total > 0 ? Math.min(fraction(deployment, set), left) : Math.max(fraction(deployment, set), left);
    const added = left === 0 ? 0 : share;
    left -= added;
    return [set, replicasOf(set) + added];
  });
  return shares.map(([set, replicas], index) => [set, index === 0 ? Math.max(0, replicas + left) : replicas]);
}

/** The youngest first. */
function newerFirst(a: CachedReplicaSet, b: CachedReplicaSet): number {
  return byAge(b, a);
}

/** How many pods more or less a ReplicaSet shall have by its part of the Deployment before it was scaled. */
function fraction(deployment: CachedDeployment, set: CachedReplicaSet): number {
  const replicas = replicasOf(set);
  if (desiredReplicas(deployment) === 0) return -replicas;
  const before = recordedSize(set).max || (deployment.status?.replicas ?? 0);
  return before === 0 ? 0 : Math.round((replicas * maxReplicas(deployment)) / before) - replicas;
}
