// Copyright 2026 The zookeeper-operator authors
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
export interface ZookeeperTls {
  /**
   * The name of a Secret with `ca.pem`, and with the key and the certificate in `tls.pem`. Members use it for clients on port 2281 and for
   * each other. When it changes, the members restart one after another.
   * @minLength 1
   * @maxLength 253
   */
  secretName: string;
}

/** What a new cluster starts with. */
export interface ZookeeperRestore {
  /**
   * The name of a ZookeeperBackup in the same namespace. The cluster starts when it is complete.
   * @minLength 1
   * @maxLength 253
   */
  backup: string;
}

/**
 * The desired state of ZookeeperCluster.
 * @cel has(self.restore) == has(oldSelf.restore) -- restore can only be set when the cluster is created
 * @cel has(self.tls) == has(oldSelf.tls) -- tls can only be set when the cluster is created
 */
export interface ZookeeperClusterSpec {
  /**
   * The number of members. An odd number is best: an even one tolerates no more failures than the number below it.
   * @minimum 1
   * @maximum 7
   * @default 3
   */
  size?: int32;
  /**
   * The version of ZooKeeper, such as 3.9.3.
   * @pattern ^[0-9]+\.[0-9]+\.[0-9]+$
   * @maxLength 32
   */
  version: string;
  /**
   * The repository of the image, without a tag.
   * @minLength 1
   * @maxLength 256
   * @default docker.io/library/zookeeper
   */
  repository?: string;
  /**
   * The size of the volume of each member.
   * @default 1Gi
   * @immutable
   */
  storage?: Quantity;
  tls?: ZookeeperTls;
  /** @immutable */
  restore?: ZookeeperRestore;
}

/** The observed state of ZookeeperCluster. */
export interface ZookeeperClusterStatus {
  /** The generation of the spec that this status reflects. */
  observedGeneration?: int64;
  /** How many members the configuration has. It moves to the size in the spec by one at a time. */
  ensemble?: int32;
  /** How many members run. */
  replicas?: int32;
  /** How many of them serve clients. */
  readyReplicas?: int32;
  /** Selects the pods of the members. */
  selector?: string;
  /** The oldest version that a member runs. */
  version?: string;
  /** The name of the member that leads the others. */
  leader?: string;
  /**
   * The current conditions of the ZookeeperCluster. `Ready`: it is as the spec says. `Quorum`: enough members serve clients.
   * @listType map
   * @listMapKey type
   */
  conditions?: Condition[];
}

/**
 * ZookeeperCluster is an ensemble of ZooKeeper, whose members are the pods of a StatefulSet.
 * @subresource status
 * @scale specReplicasPath=.spec.size statusReplicasPath=.status.replicas labelSelectorPath=.status.selector
 * @printcolumn {name: Size, type: integer, jsonPath: .spec.size}
 * @printcolumn {name: Serving, type: integer, jsonPath: .status.readyReplicas}
 * @printcolumn {name: Version, type: string, jsonPath: .status.version}
 * @printcolumn {name: Ready, type: string, jsonPath: '.status.conditions[?(@.type=="Ready")].reason'}
 * @printcolumn {name: Age, type: date, jsonPath: .metadata.creationTimestamp}
 * @shortName zk
 * @storageVersion
 * @cel size(self.metadata.name) <= 40 -- metadata.name must have at most 40 characters
 */
export interface ZookeeperCluster extends KubernetesObject {
  apiVersion: 'zookeeper.example.com/v1';
  kind: 'ZookeeperCluster';
  spec: ZookeeperClusterSpec;
  status?: ZookeeperClusterStatus;
}

export const ZookeeperCluster = defineKind<ZookeeperCluster>({
  apiVersion: 'zookeeper.example.com/v1',
  kind: 'ZookeeperCluster',
  plural: 'zookeeperclusters',
  scope: 'Namespaced',
});
