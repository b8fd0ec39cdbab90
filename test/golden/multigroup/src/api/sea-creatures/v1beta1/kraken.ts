// Copyright 2026 Acme Ltd
// SPDX-License-Identifier: MIT

import {
  type Condition,
  type KubernetesObject,
  defineKind,
  type int32,
  type int64,
} from 'ots-runtime';

/** The desired state of Kraken. */
export interface KrakenSpec {
  /**
   * The text of the Kraken. This field and the ones below are examples: replace them with your own,
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
   * Whether the controller acts on the Kraken.
   * @default Active
   */
  mode?: 'Active' | 'Paused';
}

/** The observed state of Kraken. */
export interface KrakenStatus {
  /** The generation of the spec that this status reflects. */
  observedGeneration?: int64;
  /**
   * The current conditions of the Kraken; `Ready` summarizes them.
   * @listType map
   * @listMapKey type
   */
  conditions?: Condition[];
}

/**
 * Kraken is an API of multigroup.
 * @subresource status
 * @printcolumn {name: Ready, type: string, jsonPath: '.status.conditions[?(@.type=="Ready")].status'}
 * @printcolumn {name: Age, type: date, jsonPath: .metadata.creationTimestamp}
 * @storageVersion
 */
export interface Kraken extends KubernetesObject {
  apiVersion: 'sea-creatures.example.com/v1beta1';
  kind: 'Kraken';
  spec: KrakenSpec;
  status?: KrakenStatus;
}

export const Kraken = defineKind<Kraken>({
  apiVersion: 'sea-creatures.example.com/v1beta1',
  kind: 'Kraken',
  plural: 'krakens',
  scope: 'Namespaced',
});
