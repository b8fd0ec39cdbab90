// Copyright 2026 The memcached-operator authors
// SPDX-License-Identifier: Apache-2.0

import {
  type Condition,
  type KubernetesObject,
  defineKind,
  type int32,
  type int64,
} from 'ots-runtime';

/** The desired state of Memcached. */
export interface MemcachedSpec {
  /**
   * The text of the Memcached. This field and the ones below are examples: replace them with your own,
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
   * Whether the controller acts on the Memcached.
   * @default Active
   */
  mode?: 'Active' | 'Paused';
}

/** The observed state of Memcached. */
export interface MemcachedStatus {
  /** The generation of the spec that this status reflects. */
  observedGeneration?: int64;
  /**
   * The current conditions of the Memcached; `Ready` summarizes them.
   * @listType map
   * @listMapKey type
   */
  conditions?: Condition[];
}

/**
 * Memcached is an API of memcached-operator.
 * @subresource status
 * @printcolumn {name: Ready, type: string, jsonPath: '.status.conditions[?(@.type=="Ready")].status'}
 * @printcolumn {name: Age, type: date, jsonPath: .metadata.creationTimestamp}
 * @storageVersion
 */
export interface Memcached extends KubernetesObject {
  apiVersion: 'cache.example.com/v1alpha1';
  kind: 'Memcached';
  spec: MemcachedSpec;
  status?: MemcachedStatus;
}

export const Memcached = defineKind<Memcached>({
  apiVersion: 'cache.example.com/v1alpha1',
  kind: 'Memcached',
  plural: 'memcacheds',
  scope: 'Namespaced',
});
