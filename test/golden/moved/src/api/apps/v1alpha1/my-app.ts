// Copyright 2026 Harbor Ltd
// SPDX-License-Identifier: MIT

import {
  type Condition,
  type KubernetesObject,
  defineKind,
  type int32,
  type int64,
} from 'ots-runtime';

/** The desired state of MyApp. */
export interface MyAppSpec {
  /**
   * The text of the MyApp. This field and the ones below are examples: replace them with your own,
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
   * Whether the controller acts on the MyApp.
   * @default Active
   */
  mode?: 'Active' | 'Paused';
}

/** The observed state of MyApp. */
export interface MyAppStatus {
  /** The generation of the spec that this status reflects. */
  observedGeneration?: int64;
  /**
   * The current conditions of the MyApp; `Ready` summarizes them.
   * @listType map
   * @listMapKey type
   */
  conditions?: Condition[];
}

/**
 * MyApp is an API of moved.
 * @subresource status
 * @printcolumn {name: Ready, type: string, jsonPath: '.status.conditions[?(@.type=="Ready")].status'}
 * @printcolumn {name: Age, type: date, jsonPath: .metadata.creationTimestamp}
 * @storageVersion
 */
export interface MyApp extends KubernetesObject {
  apiVersion: 'apps.example.com/v1alpha1';
  kind: 'MyApp';
  spec: MyAppSpec;
  status?: MyAppStatus;
}

export const MyApp = defineKind<MyApp>({
  apiVersion: 'apps.example.com/v1alpha1',
  kind: 'MyApp',
  plural: 'myapps',
  scope: 'Namespaced',
});
