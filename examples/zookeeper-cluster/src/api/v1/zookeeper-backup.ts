// Copyright 2026 The zookeeper-operator authors
// SPDX-License-Identifier: Apache-2.0

import {
  type Condition,
  type KubernetesObject,
  type Quantity,
  type Time,
  defineKind,
  type int64,
} from 'ots-runtime';

/** Who may take a snapshot. */
export interface ZookeeperCredentials {
  /**
   * The name of a Secret whose key `digest` has the name and the password of a user with all permissions on `/`, such as `backup:secret`.
   * @minLength 1
   * @maxLength 253
   */
  secretName: string;
}

/**
 * The desired state of ZookeeperBackup.
 * @cel has(self.credentials) == has(oldSelf.credentials) -- credentials can only be set when the backup is created
 */
export interface ZookeeperBackupSpec {
  /**
   * The name of a ZookeeperCluster in the same namespace. It needs ZooKeeper 3.9 or newer.
   * @minLength 1
   * @maxLength 40
   * @immutable
   */
  cluster: string;
  /**
   * Without credentials, the Job is known by its IP address. That is enough while everyone has all permissions on `/`, the default of
   * ZooKeeper.
   * @immutable
   */
  credentials?: ZookeeperCredentials;
  /**
   * The size of the volume for the snapshot.
   * @default 1Gi
   * @immutable
   */
  storage?: Quantity;
}

/** The observed state of ZookeeperBackup. */
export interface ZookeeperBackupStatus {
  /** The generation of the spec that this status reflects. */
  observedGeneration?: int64;
  /** The name of the PersistentVolumeClaim with the snapshot. */
  volume?: string;
  /** The version of ZooKeeper that took the snapshot. */
  version?: string;
  /** When the snapshot was complete. */
  completionTime?: Time;
  /**
   * The current conditions of the ZookeeperBackup. `Complete`: the snapshot can be restored.
   * @listType map
   * @listMapKey type
   */
  conditions?: Condition[];
}

/**
 * ZookeeperBackup is a snapshot of a ZookeeperCluster, taken once by a Job. Deleting it deletes the snapshot.
 * @subresource status
 * @printcolumn {name: Cluster, type: string, jsonPath: .spec.cluster}
 * @printcolumn {name: Complete, type: string, jsonPath: '.status.conditions[?(@.type=="Complete")].status'}
 * @printcolumn {name: Age, type: date, jsonPath: .metadata.creationTimestamp}
 * @storageVersion
 * @cel size(self.metadata.name) <= 40 -- metadata.name must have at most 40 characters
 */
export interface ZookeeperBackup extends KubernetesObject {
  apiVersion: 'zookeeper.example.com/v1';
  kind: 'ZookeeperBackup';
  spec: ZookeeperBackupSpec;
  status?: ZookeeperBackupStatus;
}

export const ZookeeperBackup = defineKind<ZookeeperBackup>({
  apiVersion: 'zookeeper.example.com/v1',
  kind: 'ZookeeperBackup',
  plural: 'zookeeperbackups',
  scope: 'Namespaced',
});
