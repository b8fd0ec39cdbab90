// Copyright 2026 The job-watcher authors
// SPDX-License-Identifier: Apache-2.0

import {
  type Condition,
  type KubernetesObject,
  defineKind,
  type int64,
  type Time,
} from 'ots-runtime';

/**
 * A regular expression (RE2) that must match a whole name: `report` does not match `report-2`, but `report.*` does.
 * @minLength 1
 * @maxLength 256
 */
export type NamePattern = string;

/** Which Jobs a JobWatcher deletes, and when. */
export interface JobWatcherSpec {
  /**
   * The names of the Jobs, as regular expressions. A Job must match one of them.
   * @minItems 1
   * @maxItems 32
   * @listType set
   */
  jobNamePatterns: NamePattern[];
  /**
   * The namespaces of the Jobs, as regular expressions. The default is the namespace of the JobWatcher. Other namespaces need the right
   * to delete Jobs in all namespaces.
   * @minItems 1
   * @maxItems 32
   * @listType set
   */
  namespacePatterns?: NamePattern[];
  /**
   * How many seconds a Job is kept after it completed.
   * @minimum 0
   * @default 3600
   */
  completedTTL?: int64;
  /**
   * How many seconds a Job is kept after it failed.
   * @minimum 0
   * @default 86400
   */
  failedTTL?: int64;
  /**
   * How many seconds a Job may wait for its first pod to start. Without it, pending Jobs are kept.
   * @minimum 0
   */
  pendingTTL?: int64;
  /**
   * The most seconds between two checks. A TTL that expires and a change of the spec start a check earlier.
   * @minimum 1
   * @maximum 86400
   * @default 60
   */
  frequency?: int64;
}

/** What the last check found. */
export interface JobWatcherStatus {
  /** When the last check started. */
  lastStarted?: Time;
  /** When the last check finished. */
  lastFinished?: Time;
  /** The generation of the spec that this status reflects. */
  observedGeneration?: int64;
  /**
   * The current conditions of the JobWatcher: `Ready` is false if it cannot check.
   * @listType map
   * @listMapKey type
   */
  conditions?: Condition[];
}

/**
 * JobWatcher deletes Jobs some time after they completed or failed, or when they do not start.
 * @subresource status
 * @printcolumn {name: Ready, type: string, jsonPath: '.status.conditions[?(@.type=="Ready")].status'}
 * @printcolumn {name: Completed TTL, type: integer, jsonPath: .spec.completedTTL}
 * @printcolumn {name: Failed TTL, type: integer, jsonPath: .spec.failedTTL}
 * @printcolumn {name: Last check, type: date, jsonPath: .status.lastFinished}
 * @printcolumn {name: Age, type: date, jsonPath: .metadata.creationTimestamp}
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
