// Copyright 2026 The zookeeper-operator authors
// SPDX-License-Identifier: Apache-2.0

import { PersistentVolumeClaim } from 'ots-kubernetes/core/v1';
import { type Client, type DeepReadonly, isAlreadyExists, isConditionTrue } from 'ots-runtime';
import { ZookeeperBackup } from '../api/v1/zookeeper-backup.ts';
import type { ZookeeperCluster } from '../api/v1/zookeeper-cluster.ts';
import { volumeOwner, volumeSpec } from './cluster-dependents.ts';
import { memberLabels, memberSelector, volumeName } from './names.ts';

/** Why a cluster has to wait for something that the operator does not make. */
export interface Obstacle {
  readonly reason: string;
  readonly message: string;
}

type Cluster = DeepReadonly<ZookeeperCluster>;

/** Reads from the cache, and from the server. */
interface Clients {
  readonly client: Pick<Client, 'create' | 'get'>;
  readonly apiReader: Pick<Client, 'list'>;
}

/**
 * Prepares what must be there before the members of a new cluster start.
 * @returns what is not there yet.
 */
export async function prepareMembers(
  cluster: Cluster,
  clients: Clients,
): Promise<Obstacle | undefined> {
  if (cluster.status?.version !== undefined) return undefined;
  return (await findOldVolume(cluster, clients)) ?? (await prepareRestore(cluster, clients));
}

/** The data of an earlier cluster with the same name would become that of this one. */
async function findOldVolume(
  cluster: Cluster,
  { apiReader }: Clients,
): Promise<Obstacle | undefined> {
  const { namespace, uid } = cluster.metadata;
  const { items } = await apiReader.list(PersistentVolumeClaim, {
    namespace,
    labelSelector: memberSelector(cluster),
  });
  const old = items.find(
    ({ metadata }) => !metadata.ownerReferences?.some((owner) => owner.uid === uid),
  );
  if (!old) return undefined;
  const message = `PersistentVolumeClaim ${old.metadata.name} of an earlier cluster must be deleted`;
  return { reason: 'WaitingForVolume', message };
}

/** The Job that restores a backup needs the volume of the first member, before there is a StatefulSet. */
async function prepareRestore(
  cluster: Cluster,
  { client }: Clients,
): Promise<Obstacle | undefined> {
  if (!cluster.spec.restore) return undefined;
  const { namespace } = cluster.metadata;
  const { backup } = cluster.spec.restore;
  const found = await client.get(ZookeeperBackup, { name: backup, namespace });
  if (!isConditionTrue(found?.status?.conditions, 'Complete')) {
    const what = found ? 'is not complete' : 'does not exist';
    return { reason: 'WaitingForBackup', message: `ZookeeperBackup ${backup} ${what}` };
  }
  const key = { name: volumeName(cluster, 0), namespace };
  if (await client.get(PersistentVolumeClaim, key)) return undefined;
  try {
    await client.create(PersistentVolumeClaim, {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: {
        ...key,
        labels: memberLabels(cluster),
        ownerReferences: [volumeOwner(cluster)],
      },
      spec: volumeSpec(cluster),
    });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
  return undefined;
}
