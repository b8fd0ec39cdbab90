// Copyright 2026 The etcd-operator authors
// SPDX-License-Identifier: Apache-2.0

import {
  type Condition,
  type KubernetesObject,
  type Quantity,
  defineKind,
  type int32,
  type int64,
} from 'ots-runtime';

/** Where the certificates of the members are. */
export interface EtcdTls {
  /**
   * The name of a Secret with `ca.crt`, `tls.crt` and `tls.key`. Members use it for clients and for each other, and the operator as a
   * client. When it changes, the members restart one after another.
   * @minLength 1
   * @maxLength 253
   */
  secretName: string;
}

/** What a new cluster starts with. */
export interface EtcdRestore {
  /**
   * The name of an EtcdBackup in the same namespace. The cluster starts when it is complete.
   * @minLength 1
   * @maxLength 253
   */
  backup: string;
}

/**
 * The desired state of EtcdCluster.
 * @cel has(self.restore) == has(oldSelf.restore) -- restore can only be set when the cluster is created
 * @cel has(self.tls) == has(oldSelf.tls) -- tls can only be set when the cluster is created
 */
export interface EtcdClusterSpec {
  /**
   * The number of members. An odd number is best: an even one tolerates no more failures than the number below it.
   * @minimum 1
   * @maximum 9
   * @default 3
   */
  size?: int32;
  /**
   * The version of etcd, such as 3.5.21.
   * @pattern ^[0-9]+\.[0-9]+\.[0-9]+$
   * @maxLength 32
   */
  version: string;
  /**
   * The repository of the image, without a tag.
   * @minLength 1
   * @maxLength 256
   * @default quay.io/coreos/etcd
   */
  repository?: string;
  /**
   * The size of the volume of each member.
   * @default 1Gi
   * @immutable
   */
  storage?: Quantity;
  tls?: EtcdTls;
  /** @immutable */
  restore?: EtcdRestore;
}

/** A member as the operator knows it. */
export interface EtcdMember {
  /** Also the name of its pod. */
  name: string;
  /** Its ID in the cluster, in decimal digits. */
  id: string;
  /** The UID of the PersistentVolumeClaim with its data. */
  volume: string;
  /** Whether it has lost its data: the cluster must forget it before a new member gets its name. */
  isLost?: boolean;
}

/** The observed state of EtcdCluster. */
export interface EtcdClusterStatus {
  /** The generation of the spec that this status reflects. */
  observedGeneration?: int64;
  /** The ID of the cluster, since its first member has answered. */
  clusterID?: string;
  /** How many members the cluster has. */
  replicas?: int32;
  /** How many of them are healthy. */
  readyReplicas?: int32;
  /** Selects the pods of the members. */
  selector?: string;
  /** The oldest version that a member runs. */
  version?: string;
  /** The name of the member that leads the others. */
  leader?: string;
  /**
   * The members that have a volume.
   * @maxItems 16
   * @listType map
   * @listMapKey name
   */
  members?: EtcdMember[];
  /**
   * The current conditions of the EtcdCluster. `Ready`: it is as the spec says. `Quorum`: enough members are healthy to read and write.
   * @listType map
   * @listMapKey type
   */
  conditions?: Condition[];
}

/**
 * EtcdCluster is a cluster of etcd, whose members are the pods of a StatefulSet.
 * @subresource status
 * @scale specReplicasPath=.spec.size statusReplicasPath=.status.replicas labelSelectorPath=.status.selector
 * @printcolumn {name: Size, type: integer, jsonPath: .spec.size}
 * @printcolumn {name: Healthy, type: integer, jsonPath: .status.readyReplicas}
 * @printcolumn {name: Version, type: string, jsonPath: .status.version}
 * @printcolumn {name: Ready, type: string, jsonPath: '.status.conditions[?(@.type=="Ready")].reason'}
 * @printcolumn {name: Age, type: date, jsonPath: .metadata.creationTimestamp}
 * @shortName etcd
 * @storageVersion
 * @cel size(self.metadata.name) <= 40 -- metadata.name must have at most 40 characters
 */
export interface EtcdCluster extends KubernetesObject {
  apiVersion: 'etcd.example.com/v1';
  kind: 'EtcdCluster';
  spec: EtcdClusterSpec;
  status?: EtcdClusterStatus;
}

export const EtcdCluster = defineKind<EtcdCluster>({
  apiVersion: 'etcd.example.com/v1',
  kind: 'EtcdCluster',
  plural: 'etcdclusters',
  scope: 'Namespaced',
});
