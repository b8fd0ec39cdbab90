// Copyright 2026 The wordpress-operator authors
// SPDX-License-Identifier: Apache-2.0

import {
  type Condition,
  type KubernetesObject,
  type PlanStatus,
  type Quantity,
  defineKind,
  type int32,
  type int64,
} from 'ots-runtime';

/** The desired state of Wordpress. */
export interface WordpressSpec {
  /**
   * The version of WordPress. The first one runs the plan `deploy`, and each other one the plan `update`.
   * @pattern ^[0-9]+([.][0-9]+){1,2}$
   * @maxLength 20
   */
  version: string;
  /**
   * The number of web servers.
   * @minimum 1
   * @maximum 10
   * @default 1
   */
  replicas?: int32;
  /**
   * The name of a Secret whose key `password` has the password of the database.
   * @minLength 1
   */
  databaseSecret: string;
  /**
   * The size of each of the volumes for the database, the uploads and the backups.
   * @default 1Gi
   * @immutable
   */
  storage?: Quantity;
  /** Runs a plan once. */
  run?: Run;
}

/**
 * A plan to run.
 * @validation {rule: "(self.plan == 'restore') == has(self.backup)", message: "backup says what to restore"}
 * @validation {rule: "self.id != oldSelf.id || self == oldSelf", message: "another run needs another id"}
 */
export interface Run {
  plan: 'backup' | 'restore';
  /**
   * The name of the run: another name runs the plan again. A backup has the name of its run.
   * @pattern ^[a-z0-9]([-a-z0-9]*[a-z0-9])?$
   * @maxLength 20
   */
  id: string;
  /**
   * The backup to restore. That of an update to 6.6 has the name `before-6.6`.
   * @pattern ^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$
   * @maxLength 30
   */
  backup?: string;
}

/** The last run of each plan. */
export interface Plans {
  deploy?: PlanStatus;
  update?: PlanStatus;
  backup?: PlanStatus;
  restore?: PlanStatus;
}

/** The observed state of Wordpress. */
export interface WordpressStatus {
  /** The generation of the spec that this status reflects. */
  observedGeneration?: int64;
  /** The version of the web servers. */
  version?: string;
  plans?: Plans;
  /**
   * `Ready` says whether the web servers serve the site, `Progressing` which plan is running.
   * @listType map
   * @listMapKey type
   */
  conditions?: Condition[];
}

/**
 * Wordpress is a site with its web servers, its database and its backups.
 * @subresource status
 * @printcolumn {name: Version, type: string, jsonPath: .status.version}
 * @printcolumn {name: Ready, type: string, jsonPath: '.status.conditions[?(@.type=="Ready")].status'}
 * @printcolumn {name: Plan, type: string, jsonPath: '.status.conditions[?(@.type=="Progressing")].reason'}
 * @printcolumn {name: Age, type: date, jsonPath: .metadata.creationTimestamp}
 * @shortName wp
 * @storageVersion
 */
export interface Wordpress extends KubernetesObject {
  apiVersion: 'apps.example.com/v1alpha1';
  kind: 'Wordpress';
  spec: WordpressSpec;
  status?: WordpressStatus;
}

export const Wordpress = defineKind<Wordpress>({
  apiVersion: 'apps.example.com/v1alpha1',
  kind: 'Wordpress',
  plural: 'wordpresses',
  scope: 'Namespaced',
});
