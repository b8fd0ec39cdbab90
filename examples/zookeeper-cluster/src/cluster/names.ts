// Copyright 2026 The zookeeper-operator authors
// SPDX-License-Identifier: Apache-2.0

import type { DeepReadonly } from 'ots-runtime';
import type { ZookeeperCluster } from '../api/v1/zookeeper-cluster.ts';

/** The label of everything that belongs to a cluster. Its value is the name of the cluster. */
export const clusterLabel = 'zookeeper.example.com/cluster';

type Cluster = DeepReadonly<ZookeeperCluster>;

/** Selects the pods of the members. */
export function memberLabels({ metadata }: Cluster): Record<string, string> {
  return { [clusterLabel]: metadata.name! };
}

/** The name of a member and its pod. */
export function memberName({ metadata }: Cluster, ordinal: number): string {
  return `${metadata.name}-${ordinal}`;
}

/** The number at the end of the name of a pod or a volume. */
export function ordinalOf(name: string): number {
  return Number(/\d+$/.exec(name)?.[0]);
}

/** Where a member is. Its name leads there before the member is ready. */
export function hostOf(cluster: Cluster, ordinal: number): string {
  const { name, namespace } = cluster.metadata;
  return `${memberName(cluster, ordinal)}.${name}.${namespace}.svc`;
}
