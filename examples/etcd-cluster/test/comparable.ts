// Copyright 2026 The etcd-operator authors
// SPDX-License-Identifier: Apache-2.0

import type { Condition, KubernetesObject } from 'ots-runtime';
import type { EtcdClusterStatus } from '../src/api/v1/etcd-cluster.ts';

/** IDs depend on how often something was tried. */
export function comparable(object: KubernetesObject & { status?: EtcdClusterStatus }): unknown {
  if (object.kind !== 'EtcdCluster' || !object.status) return object;
  const { clusterID, conditions, members = [], ...status } = object.status;
  const names = members.map(({ name, isLost }) => ({ name, isLost }));
  return {
    ...object,
    status: {
      ...status,
      hasID: clusterID !== undefined,
      members: names,
      conditions: sorted(conditions),
    },
  };
}

/** One that waits first has another order. */
function sorted(conditions: Condition[] = []): Condition[] {
  return conditions.toSorted((one, other) => one.type.localeCompare(other.type));
}
