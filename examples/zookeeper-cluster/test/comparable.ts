// Copyright 2026 The zookeeper-operator authors
// SPDX-License-Identifier: Apache-2.0

import type { Condition, KubernetesObject } from 'ots-runtime';
import type { ZookeeperClusterStatus } from '../src/api/v1/zookeeper-cluster.ts';

/** Which member leads depends on what happened. */
export function comparable(
  object: KubernetesObject & { status?: ZookeeperClusterStatus },
): unknown {
  if (object.kind !== 'ZookeeperCluster' || !object.status) return object;
  const { conditions, leader, ...status } = object.status;
  return {
    ...object,
    status: { ...status, hasLeader: leader !== undefined, conditions: sorted(conditions) },
  };
}

/** One that waits first has another order. */
function sorted(conditions: Condition[] = []): Condition[] {
  return conditions.toSorted((one, other) => one.type.localeCompare(other.type));
}
