// Copyright 2026 The etcd-operator authors
// SPDX-License-Identifier: Apache-2.0

import {
  type ConditionUpdate,
  type DeepReadonly,
  type WorkflowResult,
  readyCondition,
  setCondition,
} from 'ots-runtime';
import type { EtcdCluster, EtcdClusterStatus } from '../api/v1/etcd-cluster.ts';
import { type ClusterView, quorumOf } from './cluster-view.ts';
import { memberRecords } from './member-records.ts';
import { memberLabels } from './names.ts';
import { outdatedPods } from './next-step.ts';
import type { Obstacle } from './preparations.ts';

type Cluster = DeepReadonly<EtcdCluster>;

/** What turns the status of a cluster into the next one. */
export type StatusChange = (before: EtcdClusterStatus) => EtcdClusterStatus;

/** The status of a cluster that waits: all that was known before, and what it waits for. */
export function waitingStatus(
  { metadata: { generation } }: Cluster,
  { reason, message }: Obstacle,
  now: Date,
): StatusChange {
  const ready = {
    type: 'Ready',
    status: 'False',
    reason,
    message,
    observedGeneration: generation,
  } as const;
  return (before) => ({
    ...before,
    observedGeneration: generation!,
    conditions: setCondition(before.conditions, ready, now),
  });
}

/** The status of a cluster after its workflow ran. */
export function clusterStatus(
  cluster: Cluster,
  view: ClusterView,
  result: WorkflowResult,
  now: Date,
): StatusChange {
  const { generation } = cluster.metadata;
  const { members } = view;
  const versions = members?.flatMap(({ version = [] }) => version) ?? [];
  const leader = members?.find(({ isLeader }) => isLeader);
  const update = (condition: ConditionUpdate) => ({ ...condition, observedGeneration: generation });
  const conditions = [quorum(cluster, view), readiness(cluster, view, result)].map(update);
  return (before) => ({
    ...before,
    observedGeneration: generation!,
    clusterID: before.clusterID ?? view.clusterID,
    replicas: members?.length ?? before.replicas ?? 0,
    readyReplicas: members?.filter(({ isHealthy }) => isHealthy).length ?? 0,
    selector: Object.entries(memberLabels(cluster))
      .map((label) => label.join('='))
      .join(','),
    version: versions.toSorted((one, other) =>
      one.localeCompare(other, 'en', { numeric: true }),
    )[0],
    leader: leader && `${cluster.metadata.name}-${leader.ordinal}`,
    members: [...memberRecords(cluster, view)],
    conditions: conditions.reduce(
      (list, condition) => setCondition(list, condition, now),
      before.conditions ?? [],
    ),
  });
}

function quorum(cluster: Cluster, { members, hasQuorum }: ClusterView): ConditionUpdate {
  const type = 'Quorum';
  if (!members && cluster.status?.clusterID === undefined)
    return {
      type,
      status: 'Unknown',
      reason: 'Starting',
      message: 'the first member has not answered yet',
    };
  const all = members?.length ?? cluster.status?.replicas ?? 0;
  const healthy = members?.filter(({ isHealthy }) => isHealthy).length ?? 0;
  const needs = `${healthy} of ${all} members are healthy, ${quorumOf(all)} are needed`;
  return hasQuorum
    ? { type, status: 'True', reason: 'Healthy', message: needs }
    : {
        type,
        status: 'False',
        reason: 'QuorumLost',
        message: `${needs}: the operator changes nothing until they are back`,
      };
}

function readiness(cluster: Cluster, view: ClusterView, result: WorkflowResult): ConditionUpdate {
  const { size = 3 } = cluster.spec;
  const { members = [], hasQuorum } = view;
  const healthy = members.filter(({ isHealthy }) => isHealthy).length;
  const isFailed = Object.values(result.dependents).some(({ state }) => state === 'Failed');
  if (isFailed) return readyCondition(result);
  if (!view.members && !cluster.status?.clusterID)
    return pending('Starting', 'the first member has not answered yet');
  if (!hasQuorum) return pending('QuorumLost', 'see the condition Quorum');
  if (members.length !== size) return pending('Scaling', `${members.length} of ${size} members`);
  if (healthy < size) return pending('Unhealthy', `${healthy} of ${size} members are healthy`);
  const outdated = outdatedPods(view).length;
  if (outdated > 0) return pending('Updating', `${outdated} of ${size} members have to restart`);
  return readyCondition(result);
}

function pending(reason: string, message: string): ConditionUpdate {
  return { type: 'Ready', status: 'False', reason, message };
}
