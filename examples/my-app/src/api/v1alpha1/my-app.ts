// Copyright 2026 The myapp-operator authors
// SPDX-License-Identifier: Apache-2.0

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
   * The number of pods.
   * @minimum 0
   * @default 1
   */
  replicas?: int32;
  /**
   * The image that they run.
   * @minLength 1
   */
  image: string;
}

/** The observed state of MyApp. */
export interface MyAppStatus {
  /** The generation of the spec that this status reflects. */
  observedGeneration?: int64;
  /**
   * The current conditions of the MyApp: `Ready` is true when all pods run the image.
   * @listType map
   * @listMapKey type
   */
  conditions?: Condition[];
  /** The number of pods that exist, also those of an older image. */
  replicas?: int32;
  /** The number of pods that are ready. */
  readyReplicas?: int32;
  /** The labels of the pods, for those who scale the MyApp. */
  selector?: string;
}

/**
 * MyApp is an API of myapp-operator.
 * @subresource status
 * @scale specReplicasPath=.spec.replicas statusReplicasPath=.status.replicas labelSelectorPath=.status.selector
 * @printcolumn {name: Replicas, type: integer, jsonPath: .spec.replicas}
 * @printcolumn {name: Ready, type: integer, jsonPath: .status.readyReplicas}
 * @printcolumn {name: Image, type: string, jsonPath: .spec.image}
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
