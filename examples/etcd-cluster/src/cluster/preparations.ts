// Copyright 2026 The etcd-operator authors
// SPDX-License-Identifier: Apache-2.0

import { createHash } from 'node:crypto';
import { PersistentVolumeClaim, Secret } from 'ots-kubernetes/core/v1';
import { type Client, type DeepReadonly, isAlreadyExists, isConditionTrue } from 'ots-runtime';
import { EtcdBackup } from '../api/v1/etcd-backup.ts';
import { EtcdCluster } from '../api/v1/etcd-cluster.ts';
import type { Credentials } from '../etcd/transport.ts';
import { volumeOwner, volumeSpec } from './cluster-dependents.ts';
import { memberLabels, volumeName } from './names.ts';

/** Why a cluster has to wait for something that the operator does not make. */
export interface Obstacle {
  readonly reason: string;
  readonly message: string;
}

/** The certificates of a cluster. */
export interface Certificates {
  readonly credentials: Credentials;
  /** Changes with the certificates. */
  readonly hash: string;
}

type Cluster = DeepReadonly<EtcdCluster>;

/**
 * Reads the certificates of a cluster.
 * @param reader from the server: the cache has only the metadata of Secrets.
 * @returns undefined for a cluster without TLS.
 */
export async function readCertificates(
  cluster: Cluster,
  reader: Pick<Client, 'get'>,
): Promise<Certificates | Obstacle | undefined> {
  if (!cluster.spec.tls) return undefined;
  const name = cluster.spec.tls.secretName;
  const { namespace } = cluster.metadata;
  const secret = await reader.get(Secret, { name, namespace });
  const { 'ca.crt': ca, 'tls.crt': cert, 'tls.key': key } = secret?.data ?? {};
  if (!ca || !cert || !key) {
    const what = secret ? 'lacks ca.crt, tls.crt or tls.key' : 'does not exist';
    return { reason: 'WaitingForSecret', message: `Secret ${name} ${what}` };
  }
  return {
    credentials: { ca: textOf(ca), cert: textOf(cert), key: textOf(key) },
    hash: createHash('sha256').update([ca, cert, key].join()).digest('hex'),
  };
}

/**
 * Prepares what must be there before the first member of a new cluster starts.
 * @returns what is not there yet.
 */
export async function prepareFirstMember(
  cluster: Cluster,
  { client, apiReader }: { client: Client; apiReader: Pick<Client, 'get'> },
): Promise<Obstacle | undefined> {
  const { name, namespace, uid } = cluster.metadata;
  const key = { name: volumeName(cluster, 0), namespace };
  const volume = await apiReader.get(PersistentVolumeClaim, key);
  const owners = volume?.metadata.ownerReferences ?? [];
  if (volume && (!owners.some((owner) => owner.uid === uid) || volume.metadata.deletionTimestamp)) {
    // Its data would become that of this cluster.
    const message = `PersistentVolumeClaim ${key.name} of an earlier cluster must be deleted`;
    return { reason: 'WaitingForVolume', message };
  }
  if (!cluster.spec.restore) return undefined;
  const { backup } = cluster.spec.restore;
  const found = await client.get(EtcdBackup, { name: backup, namespace });
  if (!isConditionTrue(found?.status?.conditions, 'Complete')) {
    const what = found ? 'is not complete' : 'does not exist';
    return { reason: 'WaitingForBackup', message: `EtcdBackup ${backup} ${what}` };
  }
  if (volume) return undefined;
  try {
    await client.create(PersistentVolumeClaim, {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: {
        ...key,
        labels: memberLabels(cluster),
        ownerReferences: [volumeOwner(name!, uid!)],
      },
      spec: volumeSpec(cluster),
    });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
  return undefined;
}

function textOf(base64: string): string {
  return Buffer.from(base64, 'base64').toString();
}
