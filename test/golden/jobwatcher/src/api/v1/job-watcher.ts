// Copyright 2026 Acme Ltd
// SPDX-License-Identifier: Apache-2.0

import {
  type Condition,
  type KubernetesObject,
  defineKind,
  type int32,
  type int64,
} from 'ots-runtime';

/** The desired state of JobWatcher. */
export interface JobWatcherSpec {
  /**
   * The text of the JobWatcher. This field and the ones below are examples: replace them with your own,
   * then run `npm run manifests`.
   * @minLength 1
   * @maxLength 256
   */
  message: string;
  /**
   * The number of copies.
   * @minimum 0
   * @maximum 100
   * @default 1
   */
  replicas?: int32;
  /**
   * Whether the controller acts on the JobWatcher.
   * @default Active
   */
  mode?: 'Active' | 'Paused';
}

/** The observed state of JobWatcher. */
export interface JobWatcherStatus {
  /** The generation of the spec that this status reflects. */
  observedGeneration?: int64;
  /**
   * The current conditions of the JobWatcher; `Ready` summarizes them.
   * @listType map
   * @listMapKey type
   */
  conditions?: Condition[];
}

/**
 * JobWatcher is an API of jobwatcher.
 * @subresource status
 * @printcolumn {name: Ready, type: string, jsonPath: '.status.conditions[?(@.type=="Ready")].status'}
 * @printcolumn {name: Age, type: date, jsonPath: .metadata.creationTimestamp}
 * @shortName jw
 * @category all
 * @storageVersion
 */
export interface JobWatcher extends KubernetesObject {
  apiVersion: 'batch.my.github.com/v1';
  kind: 'JobWatcher';
  spec: JobWatcherSpec;
  status?: JobWatcherStatus;
}

export const JobWatcher = defineKind<JobWatcher>({
  apiVersion: 'batch.my.github.com/v1',
  kind: 'JobWatcher',
  plural: 'jobwatchers',
  scope: 'Namespaced',
});
