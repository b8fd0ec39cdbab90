// Copyright 2026 The zookeeper-operator authors
// SPDX-License-Identifier: Apache-2.0

import type { DeepReadonly } from 'ots-runtime';
import type { ZookeeperCluster } from '../api/v1/zookeeper-cluster.ts';

/** The label of everything that belongs to a cluster. Its value is the name of the cluster. */
export const clusterLabel = 'zookeeper.example.com/cluster';

/** The label of what belongs to a member. A backup also has a volume. */
export const roleLabel = 'zookeeper.example.com/role';

type Cluster = DeepReadonly<ZookeeperCluster>;

/** Selects the pods and the volumes of the members. */
export function memberLabels({ metadata }: Cluster): Record<string, string> {
  return { [clusterLabel]: metadata.name!, [roleLabel]: 'member' };
}

/** The same as a label selector. */
export function memberSelector(cluster: Cluster): string {
  return Object.entries(memberLabels(cluster))
    .map((label) => label.join('='))
    .join(',');
}

/** The name of a member and its pod. */
export function memberName({ metadata }: Cluster, ordinal: number): string {
  return `${metadata.name}-${ordinal}`;
}

/** The name of the PersistentVolumeClaim of a member. */
export function volumeName(cluster: Cluster, ordinal: number): string {
  return `data-${memberName(cluster, ordinal)}`;
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

/** The image of a cluster. */
export function imageOf({ spec }: Cluster, version = spec.version): string {
  return `${spec.repository ?? 'docker.io/library/zookeeper'}:${version}`;
}

/** Where a member answers commands over HTTP. */
export function adminURL(cluster: Cluster, ordinal: number): string {
  return `${cluster.spec.tls ? 'https' : 'http'}://${hostOf(cluster, ordinal)}:8080/commands`;
}
