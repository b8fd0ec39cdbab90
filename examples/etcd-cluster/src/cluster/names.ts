// Copyright 2026 The etcd-operator authors
// SPDX-License-Identifier: Apache-2.0

import type { DeepReadonly } from 'ots-runtime';
import type { EtcdCluster } from '../api/v1/etcd-cluster.ts';

/** The label of everything that belongs to a cluster. Its value is the name of the cluster. */
export const clusterLabel = 'etcd.example.com/cluster';

/** The label of the pods that are members. Jobs also have pods. */
export const roleLabel = 'etcd.example.com/role';

type Cluster = DeepReadonly<EtcdCluster>;

/** Selects the pods of the members. */
export function memberLabels({ metadata }: Cluster): Record<string, string> {
  return { [clusterLabel]: metadata.name!, [roleLabel]: 'member' };
}

/** The name of a member and its pod. */
export function memberName({ metadata }: Cluster, ordinal: number): string {
  return `${metadata.name}-${ordinal}`;
}

/** The number at the end of the name of a member, a pod or a volume; undefined if it is of another cluster. */
export function ordinalOf({ metadata }: Cluster, name: string): number | undefined {
  const [, owner, ordinal] = /^(?:data-)?(.*)-(\d+)$/.exec(name) ?? [];
  return owner === metadata.name ? Number(ordinal) : undefined;
}

/** The name of the PersistentVolumeClaim of a member. */
export function volumeName(cluster: Cluster, ordinal: number): string {
  return `data-${memberName(cluster, ordinal)}`;
}

/** The name of the ConfigMap with the configuration of each member. */
export function configName({ metadata }: Cluster): string {
  return `${metadata.name}-config`;
}

/** The name of the Service for clients. */
export function clientServiceName(cluster: string): string {
  return `${cluster}-client`;
}

/** The URL of a port of a member. Its name leads there before the member is ready. */
export function memberURL(cluster: Cluster, ordinal: number, port: 2379 | 2380): string {
  const { name, namespace } = cluster.metadata;
  const scheme = cluster.spec.tls ? 'https' : 'http';
  return `${scheme}://${memberName(cluster, ordinal)}.${name}.${namespace}.svc:${port}`;
}

/** The member that has a peer URL; undefined if it is not one of the operator's. */
export function ordinalOfURL(cluster: Cluster, url: string): number | undefined {
  return ordinalOf(cluster, new URL(url).hostname.split('.')[0]!);
}

/** The image of a cluster. */
export function imageOf({
  spec: { repository = 'quay.io/coreos/etcd', version },
}: Cluster): string {
  return `${repository}:v${version}`;
}
