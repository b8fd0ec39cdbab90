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
   * The number of pods.
   * @minimum 1
   * @maximum 5
   * @olm xDescriptors=podCount
   */
  size: int32;
  /**
   * The image that they run.
   * @minLength 1
   * @default memcached:1.6-alpine
   * @olm xDescriptors=text
   */
  image?: string;
  /**
   * The port on which they listen.
   * @minimum 1
   * @maximum 65535
   * @default 11211
   * @olm xDescriptors=number
   */
  containerPort?: int32;
}

/** The observed state of Memcached. */
export interface MemcachedStatus {
  /** The generation of the spec that this status reflects. */
  observedGeneration?: int64;
  /**
   * The current conditions of the Memcached: `Available` is true when all pods are.
   * @listType map
   * @listMapKey type
   * @olm xDescriptors=urn:alm:descriptor:io.kubernetes.conditions
   */
  conditions?: Condition[];
  /**
   * The names of its pods.
   * @listType set
   * @olm Pods
   */
  nodes?: string[];
}

/**
 * Memcached is an API of memcached-operator.
 * @subresource status
 * @printcolumn {name: Size, type: integer, jsonPath: .spec.size}
 * @printcolumn {name: Available, type: string, jsonPath: '.status.conditions[?(@.type=="Available")].status'}
 * @printcolumn {name: Age, type: date, jsonPath: .metadata.creationTimestamp}
 * @storageVersion
 * @olm resources=Deployment/v1;Pod/v1
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
