// Copyright 2026 Acme Ltd
// SPDX-License-Identifier: MIT

import {
  type Condition,
  type KubernetesObject,
  defineKind,
  type int32,
  type int64,
} from 'ots-runtime';

/** The desired state of HealthCheckPolicy. */
export interface HealthCheckPolicySpec {
  /**
   * The text of the HealthCheckPolicy. This field and the ones below are examples: replace them with your own,
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
   * Whether the controller acts on the HealthCheckPolicy.
   * @default Active
   */
  mode?: 'Active' | 'Paused';
}

/** The observed state of HealthCheckPolicy. */
export interface HealthCheckPolicyStatus {
  /** The generation of the spec that this status reflects. */
  observedGeneration?: int64;
  /**
   * The current conditions of the HealthCheckPolicy; `Ready` summarizes them.
   * @listType map
   * @listMapKey type
   */
  conditions?: Condition[];
}

/**
 * HealthCheckPolicy is an API of multigroup.
 * @subresource status
 * @printcolumn {name: Ready, type: string, jsonPath: '.status.conditions[?(@.type=="Ready")].status'}
 * @printcolumn {name: Age, type: date, jsonPath: .metadata.creationTimestamp}
 * @storageVersion
 */
export interface HealthCheckPolicy extends KubernetesObject {
  apiVersion: 'foo.policy.example.com/v1';
  kind: 'HealthCheckPolicy';
  spec: HealthCheckPolicySpec;
  status?: HealthCheckPolicyStatus;
}

export const HealthCheckPolicy = defineKind<HealthCheckPolicy>({
  apiVersion: 'foo.policy.example.com/v1',
  kind: 'HealthCheckPolicy',
  plural: 'healthcheckpolicies',
  scope: 'Cluster',
});
