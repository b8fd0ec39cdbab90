// Copyright 2026 The etcd-operator authors
// SPDX-License-Identifier: Apache-2.0

import type { PersistentVolumeClaim, Pod } from 'ots-kubernetes/core/v1';
import type { DeepReadonly } from 'ots-runtime';
import type { EtcdCluster } from '../api/v1/etcd-cluster.ts';
import { type ClusterView, type Member, quorumOf } from './cluster-view.ts';
import { memberName } from './names.ts';

/** One change that the workflow cannot make, because its order matters. */
export type Step =
  | { readonly type: 'AddMember'; readonly ordinal: number }
  | { readonly type: 'RemoveMember'; readonly member: Member }
  | {
      readonly type: 'DeleteVolume';
      readonly volume: DeepReadonly<PersistentVolumeClaim>;
      /** The pod that uses it, which would keep it. */
      readonly pod: DeepReadonly<Pod> | undefined;
    }
  | { readonly type: 'RestartMember'; readonly pod: DeepReadonly<Pod> };

/**
 * Decides what to do next. Each step is safe by itself: after it the cluster can lose as many members as before, or is about to.
 * Without a quorum no step is safe, except to replace a pod that does not run.
 *
 * @returns undefined if there is nothing to do now.
 */
export function nextStep(cluster: DeepReadonly<EtcdCluster>, view: ClusterView): Step | undefined {
  const { members, hasQuorum } = view;
  const isNew = !members && cluster.status?.clusterID === undefined;
  const broken = outdatedPods(view).find((pod) => isNew || !isRunning(pod));
  if (broken) return { type: 'RestartMember', pod: broken };
  if (!members || !hasQuorum) return undefined;
  return (
    forgetLost(cluster, members) ??
    deleteUseless(cluster, members, view) ??
    shrink(cluster, members) ??
    grow(cluster, members, view) ??
    restart(members, view)
  );
}

/** The pods that an update of the StatefulSet is waiting for. */
export function outdatedPods({ pods, set }: ClusterView): DeepReadonly<Pod>[] {
  const { observedGeneration, updateRevision } = set?.status ?? {};
  if (!set || observedGeneration !== set.metadata.generation) return [];
  return [...pods.values()].filter(
    ({ metadata: { labels, deletionTimestamp } }) =>
      !deletionTimestamp && labels?.['controller-revision-hash'] !== updateRevision,
  );
}

/** A member that has lost its data: the cluster forgets it, so a new one can get its name. */
function forgetLost(
  cluster: DeepReadonly<EtcdCluster>,
  members: readonly Member[],
): Step | undefined {
  const lost = cluster.status?.members?.filter(({ isLost }) => isLost) ?? [];
  const member = members.find(({ id }) => lost.some((each) => each.id === id));
  return member && { type: 'RemoveMember', member };
}

/** Volumes with the data of members that were removed. */
function deleteUseless(
  cluster: DeepReadonly<EtcdCluster>,
  members: readonly Member[],
  { volumes, pods }: ClusterView,
): Step | undefined {
  for (const [ordinal, volume] of volumes) {
    const { uid, deletionTimestamp } = volume.metadata;
    const isMember = members.some((member) => member.ordinal === ordinal);
    const isBehindLast = members.every((member) => member.ordinal < ordinal);
    const wasUsed = cluster.status?.members?.some(
      ({ name, volume: used }) => name === memberName(cluster, ordinal) && used === uid,
    );
    if (isMember || !(isBehindLast || wasUsed)) continue;
    const pod = pods.get(ordinal);
    if (!deletionTimestamp) return { type: 'DeleteVolume', volume, pod };
    // A pod that was made again in the meantime uses it, too.
    if (pod && !pod.metadata.deletionTimestamp && !isBehindLast)
      return { type: 'RestartMember', pod };
  }
  return undefined;
}

/** Removes the last member, if the others have a majority without it. */
function shrink(
  { spec: { size = 3 } }: DeepReadonly<EtcdCluster>,
  members: readonly Member[],
): Step | undefined {
  const member = members.at(-1)!;
  if (member.ordinal < size) return undefined;
  const others = members.filter(({ id, isHealthy }) => id !== member.id && isHealthy);
  if (others.length < quorumOf(members.length - 1)) return undefined;
  return { type: 'RemoveMember', member };
}

/** Adds a member when all others are healthy, and no data of an earlier one is left. */
function grow(
  { spec: { size = 3 } }: DeepReadonly<EtcdCluster>,
  members: readonly Member[],
  { volumes }: ClusterView,
): Step | undefined {
  if (!members.every(({ isHealthy }) => isHealthy)) return undefined;
  const ordinal = Array.from({ length: size }, (_, each) => each).find(
    (each) => !members.some((member) => member.ordinal === each),
  );
  if (ordinal === undefined) return undefined;
  const left = volumes.get(ordinal);
  const isBehindLast = members.every((member) => member.ordinal < ordinal);
  if (left && (isBehindLast || left.metadata.deletionTimestamp)) return undefined;
  return { type: 'AddMember', ordinal };
}

/**
 * Restarts one member that has another configuration than the StatefulSet: one that is not healthy, or when all are, the last one; the
 * leader at the end.
 */
function restart(members: readonly Member[], view: ClusterView): Step | undefined {
  const outdated = new Set(outdatedPods(view));
  const areAllHealthy = members.every(({ isHealthy }) => isHealthy);
  const [next] = members
    .filter(({ ordinal }) => outdated.has(view.pods.get(ordinal)!))
    .filter(({ isHealthy }) => areAllHealthy || !isHealthy)
    .toSorted(
      (one, other) => Number(one.isLeader) - Number(other.isLeader) || other.ordinal - one.ordinal,
    );
  return next && { type: 'RestartMember', pod: view.pods.get(next.ordinal)! };
}

function isRunning({ status }: DeepReadonly<Pod>): boolean {
  const [container] = status?.containerStatuses ?? [];
  return container?.state?.running !== undefined;
}
