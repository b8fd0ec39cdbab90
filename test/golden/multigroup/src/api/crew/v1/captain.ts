// Copyright 2026 Acme Ltd
// SPDX-License-Identifier: MIT

import {
  type Condition,
  type KubernetesObject,
  defineKind,
  type int32,
  type int64,
} from 'ots-runtime';

/** The desired state of Captain. */
export interface CaptainSpec {
  /**
   * The text of the Captain. This field and the ones below are examples: replace them with your own,
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
   * Whether the controller acts on the Captain.
   * @default Active
   */
  mode?: 'Active' | 'Paused';
}

/** The observed state of Captain. */
export interface CaptainStatus {
  /** The generation of the spec that this status reflects. */
  observedGeneration?: int64;
  /**
   * The current conditions of the Captain; `Ready` summarizes them.
   * @listType map
   * @listMapKey type
   */
  conditions?: Condition[];
}

/**
 * Captain is an API of multigroup.
 * @subresource status
 * @printcolumn {name: Ready, type: string, jsonPath: '.status.conditions[?(@.type=="Ready")].status'}
 * @printcolumn {name: Age, type: date, jsonPath: .metadata.creationTimestamp}
 * @storageVersion
 */
export interface Captain extends KubernetesObject {
  apiVersion: 'crew.example.com/v1';
  kind: 'Captain';
  spec: CaptainSpec;
  status?: CaptainStatus;
}

export const Captain = defineKind<Captain>({
  apiVersion: 'crew.example.com/v1',
  kind: 'Captain',
  plural: 'captains',
  scope: 'Namespaced',
});
