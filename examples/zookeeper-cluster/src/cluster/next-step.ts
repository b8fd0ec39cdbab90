// Copyright 2026 The zookeeper-operator authors
// SPDX-License-Identifier: Apache-2.0

import type { PersistentVolumeClaim, Pod } from 'ots-kubernetes/core/v1';
import type { DeepReadonly } from 'ots-runtime';
import type { ZookeeperCluster } from '../api/v1/zookeeper-cluster.ts';
import { type ClusterView, type Member, hasQuorum } from './cluster-view.ts';
import { ordinalOf } from './names.ts';

/** One change that the workflow cannot make, because its order matters. */
export type Step =
  | { readonly type: 'RestartMember'; readonly pod: DeepReadonly<Pod> }
  | { readonly type: 'DeleteVolume'; readonly volume: DeepReadonly<PersistentVolumeClaim> }
  | { readonly type: 'Resize'; readonly ensemble: number };

/**
 * Decides what to do next, so that the members that serve have a majority, of the old and of the new configuration.
 *
 * @returns undefined if there is nothing to do now.
 */
export function nextStep(
  cluster: DeepReadonly<ZookeeperCluster>,
  view: ClusterView,
): Step | undefined {
  const urgent = view.members.find((member) => isUrgent(cluster, view, member));
  if (urgent) return { type: 'RestartMember', pod: urgent.pod };
  if (!view.isSettled || !hasQuorum(view)) return undefined;
  return deleteUseless(view) ?? restart(view) ?? resize(cluster, view);
}

/** Outdated members whose restart makes nothing worse, and without which there would never be a majority. */
function isUrgent(
  cluster: DeepReadonly<ZookeeperCluster>,
  { ensemble, members }: ClusterView,
  { pod, state, isOutdated }: Member,
): boolean {
  if (!isOutdated) return false;
  // Nothing has been stored yet.
  const isNew = cluster.status?.version === undefined;
  // One member alone does not listen for the second one, and of two, one has everything.
  const isAlone =
    state?.mode === 'standalone' &&
    members.length > 1 &&
    members.every((each) => isRunning(each.pod));
  return isNew || isAlone || ensemble === 1 || !isRunning(pod);
}

function isRunning({ status }: DeepReadonly<Pod>): boolean {
  return status?.containerStatuses?.[0]?.state?.running !== undefined;
}

/** Volumes of members that were removed. */
function deleteUseless({ ensemble, members, volumes }: ClusterView): Step | undefined {
  const volume = volumes.find(({ metadata: { name, deletionTimestamp } }) => {
    const ordinal = ordinalOf(name!);
    const isInUse = members.some((member) => member.ordinal === ordinal);
    return ordinal >= ensemble && !isInUse && !deletionTimestamp;
  });
  return volume && { type: 'DeleteVolume', volume };
}

/** Restarts one member: one that does not serve, or when all do, the last one; the leader at the end. */
function restart({ ensemble, members }: ClusterView): Step | undefined {
  const doAllServe = members.length === ensemble && members.every(({ state }) => state);
  const [next] = members
    .filter(({ isOutdated, state }) => isOutdated && (doAllServe || !state))
    .toSorted(
      (one, other) =>
        Number(one.state?.mode === 'leader') - Number(other.state?.mode === 'leader') ||
        other.ordinal - one.ordinal,
    );
  return next && { type: 'RestartMember', pod: next.pod };
}

/** Changes the number of members by one, when all members have the configuration for the current number. */
function resize(
  { spec: { size = 3 } }: DeepReadonly<ZookeeperCluster>,
  { ensemble, members, volumes }: ClusterView,
): Step | undefined {
  const isDone = members.every(({ state, isOutdated }) => state && !isOutdated);
  const isLeft = volumes.some(({ metadata }) => ordinalOf(metadata.name!) >= ensemble);
  if (ensemble === size || members.length !== ensemble || !isDone || isLeft) return undefined;
  return { type: 'Resize', ensemble: ensemble + Math.sign(size - ensemble) };
}
