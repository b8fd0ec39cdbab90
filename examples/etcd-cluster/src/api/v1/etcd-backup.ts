// Copyright 2026 The etcd-operator authors
// SPDX-License-Identifier: Apache-2.0

import {
  type Condition,
  type KubernetesObject,
  type Quantity,
  type Time,
  defineKind,
  type int64,
} from 'ots-runtime';

/** The desired state of EtcdBackup. */
export interface EtcdBackupSpec {
  /**
   * The name of an EtcdCluster in the same namespace.
   * @minLength 1
   * @maxLength 40
   * @immutable
   */
  cluster: string;
  /**
   * The size of the volume for the snapshot.
   * @default 1Gi
   * @immutable
   */
  storage?: Quantity;
}

/** The observed state of EtcdBackup. */
export interface EtcdBackupStatus {
  /** The generation of the spec that this status reflects. */
  observedGeneration?: int64;
  /** The name of the PersistentVolumeClaim with the snapshot. */
  volume?: string;
  /** The version of etcd that took the snapshot. */
  version?: string;
  /** When the snapshot was complete. */
  completionTime?: Time;
  /**
   * The current conditions of the EtcdBackup. `Complete`: the snapshot can be restored.
   * @listType map
   * @listMapKey type
   */
  conditions?: Condition[];
}

/**
 * EtcdBackup is a snapshot of an EtcdCluster, taken once by a Job. Deleting it deletes the snapshot.
 * @subresource status
 * @printcolumn {name: Cluster, type: string, jsonPath: .spec.cluster}
 * @printcolumn {name: Complete, type: string, jsonPath: '.status.conditions[?(@.type=="Complete")].status'}
 * @printcolumn {name: Age, type: date, jsonPath: .metadata.creationTimestamp}
 * @storageVersion
 * @cel size(self.metadata.name) <= 40 -- metadata.name must have at most 40 characters
 */
export interface EtcdBackup extends KubernetesObject {
  apiVersion: 'etcd.example.com/v1';
  kind: 'EtcdBackup';
  spec: EtcdBackupSpec;
  status?: EtcdBackupStatus;
}

export const EtcdBackup = defineKind<EtcdBackup>({
  apiVersion: 'etcd.example.com/v1',
  kind: 'EtcdBackup',
  plural: 'etcdbackups',
  scope: 'Namespaced',
});
