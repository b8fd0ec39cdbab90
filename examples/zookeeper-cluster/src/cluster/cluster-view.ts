// Copyright 2026 The zookeeper-operator authors
// SPDX-License-Identifier: Apache-2.0

import { StatefulSet } from 'ots-kubernetes/apps/v1';
import { PersistentVolumeClaim, Pod } from 'ots-kubernetes/core/v1';
import type { Client, DeepReadonly } from 'ots-runtime';
import type { ZookeeperCluster } from '../api/v1/zookeeper-cluster.ts';
import { type Connect, type ServerState, askState } from '../zookeeper/four-letter-words.ts';
import { hostOf, memberSelector, ordinalOf } from './names.ts';

/** A pod, what its member says, and whether it waits for a restart. */
export interface Member {
  readonly ordinal: number;
  readonly pod: DeepReadonly<Pod>;
  /** Undefined if it does not serve clients. */
  readonly state: ServerState | undefined;
  /** Whether it has another configuration than the StatefulSet. */
  readonly isOutdated: boolean;
}

/** What a reconcile sees of a cluster. */
export interface ClusterView {
  /** How many members the configuration has. */
  readonly ensemble: number;
  /** By number. */
  readonly members: readonly Member[];
  readonly volumes: readonly DeepReadonly<PersistentVolumeClaim>[];
  /** Whether the controller of StatefulSets has seen the last change: only then it is known which members are outdated. */
  readonly isSettled: boolean;
}

/** How many of a number of members must serve. */
export function quorumOf(members: number): number {
  return Math.floor(members / 2) + 1;
}

/** Whether a majority serves clients. */
export function hasQuorum({ ensemble, members }: ClusterView): boolean {
  return members.filter(({ state }) => state).length >= quorumOf(ensemble);
}

/** Looks at a cluster. Members that do not answer are not an error. */
export async function viewOf(
  cluster: DeepReadonly<ZookeeperCluster>,
  { client, connect }: { client: Pick<Client, 'get' | 'list'>; connect: Connect },
  signal: AbortSignal,
): Promise<ClusterView> {
  const { name, namespace } = cluster.metadata;
  const selection = { namespace, labelSelector: memberSelector(cluster) };
  const pods = await client.list(Pod, selection);
  const volumes = await client.list(PersistentVolumeClaim, selection);
  const set = await client.get(StatefulSet, { name: name!, namespace });
  const members = await Promise.all(
    pods.items.map(async (pod) => {
      const ordinal = ordinalOf(pod.metadata.name!);
      const state = await askState(connect, hostOf(cluster, ordinal), signal);
      return { ordinal, pod, state, isOutdated: isOutdated(pod, set) };
    }),
  );
  return {
    ensemble: cluster.status?.ensemble ?? firstSize(cluster),
    members: members.toSorted((one, other) => one.ordinal - other.ordinal),
    volumes: volumes.items,
    isSettled: isSettled(set),
  };
}

/** With a snapshot, one member starts alone. Others that are empty could otherwise outvote it. */
function firstSize({ spec: { restore, size = 3 } }: DeepReadonly<ZookeeperCluster>): number {
  return restore ? 1 : size;
}

function isSettled(set: DeepReadonly<StatefulSet> | undefined): boolean {
  return (
    set?.status?.observedGeneration !== undefined &&
    set.status.observedGeneration === set.metadata.generation
  );
}

function isOutdated(
  { metadata: { labels, deletionTimestamp } }: DeepReadonly<Pod>,
  set: DeepReadonly<StatefulSet> | undefined,
): boolean {
  if (!isSettled(set) || deletionTimestamp) return false;
  return labels?.['controller-revision-hash'] !== set?.status?.updateRevision;
}
