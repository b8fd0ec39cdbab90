// Copyright 2026 Harbor Ltd
// SPDX-License-Identifier: MIT

import {
  type Condition,
  type KubernetesObject,
  defineKind,
  type int32,
  type int64,
} from 'ots-runtime';

/** The desired state of CustomImageDeploy. */
export interface CustomImageDeploySpec {
  /**
   * The text of the CustomImageDeploy. This field and the ones below are examples: replace them with your own,
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
   * Whether the controller acts on the CustomImageDeploy.
   * @default Active
   */
  mode?: 'Active' | 'Paused';
}

/** The observed state of CustomImageDeploy. */
export interface CustomImageDeployStatus {
  /** The generation of the spec that this status reflects. */
  observedGeneration?: int64;
  /**
   * The current conditions of the CustomImageDeploy; `Ready` summarizes them.
   * @listType map
   * @listMapKey type
   */
  conditions?: Condition[];
}

/**
 * CustomImageDeploy is an API of moved.
 * @subresource status
 * @printcolumn {name: Ready, type: string, jsonPath: '.status.conditions[?(@.type=="Ready")].status'}
 * @printcolumn {name: Age, type: date, jsonPath: .metadata.creationTimestamp}
 * @storageVersion
 */
export interface CustomImageDeploy extends KubernetesObject {
  apiVersion: 'images.example.com/v1';
  kind: 'CustomImageDeploy';
  spec: CustomImageDeploySpec;
  status?: CustomImageDeployStatus;
}

export const CustomImageDeploy = defineKind<CustomImageDeploy>({
  apiVersion: 'images.example.com/v1',
  kind: 'CustomImageDeploy',
  plural: 'customimagedeploys',
  scope: 'Namespaced',
});
