// Copyright 2026 The zookeeper-operator authors
// SPDX-License-Identifier: Apache-2.0

import {
  type ConditionUpdate,
  type DeepReadonly,
  type WorkflowResult,
  readyCondition,
  setCondition,
} from 'ots-runtime';
import type { ZookeeperCluster, ZookeeperClusterStatus } from '../api/v1/zookeeper-cluster.ts';
import { type ClusterView, hasQuorum, quorumOf } from './cluster-view.ts';
import { memberSelector } from './names.ts';

type Cluster = DeepReadonly<ZookeeperCluster>;

/** What turns the status of a cluster into the next one. */
export type StatusChange = (before: ZookeeperClusterStatus) => ZookeeperClusterStatus;

/** The status of a cluster that waits: all that was known before, and what it waits for. */
export function waitingStatus(
  { metadata: { generation } }: Cluster,
  { reason, message }: { reason: string; message: string },
  now: Date,
): StatusChange {
  const condition = { ...pending(reason, message), observedGeneration: generation };
  return (before) => ({
    ...before,
    observedGeneration: generation!,
    conditions: setCondition(before.conditions, condition, now),
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
  const serving = view.members.flatMap(({ state = [] }) => state);
  const versions = serving.map(({ version }) => version);
  const oldest = versions.toSorted((one, other) =>
    one.localeCompare(other, 'en', { numeric: true }),
  )[0];
  const leader = view.members.find(({ state }) => state && /leader|standalone/.test(state.mode));
  const conditions = [quorum(cluster, view), readiness(cluster, view, result)].map((condition) => ({
    ...condition,
    observedGeneration: generation,
  }));
  return (before) => ({
    ...before,
    observedGeneration: generation!,
    ensemble: view.ensemble,
    replicas: view.members.length,
    readyReplicas: serving.length,
    selector: memberSelector(cluster),
    version: oldest ?? before.version,
    leader: leader?.pod.metadata.name,
    conditions: conditions.reduce(
      (list, condition) => setCondition(list, condition, now),
      before.conditions ?? [],
    ),
  });
}

function quorum({ status }: Cluster, view: ClusterView): ConditionUpdate {
  const type = 'Quorum';
  const { ensemble, members } = view;
  const serving = members.filter(({ state }) => state).length;
  const message = `${serving} of ${ensemble} members serve clients, ${quorumOf(ensemble)} are needed`;
  if (hasQuorum(view)) return { type, status: 'True', reason: 'Serving', message };
  return status?.version === undefined
    ? { type, status: 'Unknown', reason: 'Starting', message }
    : { type, status: 'False', reason: 'QuorumLost', message };
}

function readiness(
  { spec: { size = 3 }, status }: Cluster,
  view: ClusterView,
  result: WorkflowResult,
): ConditionUpdate {
  const { ensemble, members } = view;
  const isFailed = Object.values(result.dependents).some(({ state }) => state === 'Failed');
  if (isFailed) return readyCondition(result);
  const serving = members.filter(({ state }) => state).length;
  if (!hasQuorum(view))
    return pending(
      status?.version === undefined ? 'Starting' : 'QuorumLost',
      'see the condition Quorum',
    );
  if (ensemble !== size)
    return pending('Scaling', `the configuration has ${ensemble} of ${size} members`);
  if (serving < size) return pending('Unhealthy', `${serving} of ${size} members serve clients`);
  const outdated = members.filter(({ isOutdated }) => isOutdated).length;
  if (outdated > 0 || !view.isSettled)
    return pending('Updating', `${outdated} of ${size} members have to restart`);
  return readyCondition(result);
}

function pending(reason: string, message: string): ConditionUpdate {
  return { type: 'Ready', status: 'False', reason, message };
}
