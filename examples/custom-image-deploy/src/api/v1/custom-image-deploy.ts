// Copyright 2026 The custom-image-deploy authors
// SPDX-License-Identifier: Apache-2.0

import {
  type Condition,
  type KubernetesObject,
  defineKind,
  type int32,
  type int64,
} from 'ots-runtime';

/** The image to deploy, and how. */
export interface CustomImageDeploySpec {
  /**
   * The image to run, with its tag.
   * @minLength 1
   * @maxLength 512
   */
  image: string;
  /**
   * The number of pods.
   * @minimum 0
   * @default 1
   */
  size?: int32;
  /**
   * The port on which the container listens. The Service and the Ingress serve it as port 80.
   * @minimum 1
   * @maximum 65535
   */
  port: int32;
}

/** The observed state of CustomImageDeploy. */
export interface CustomImageDeployStatus {
  /** The generation of the spec that this status reflects. */
  observedGeneration?: int64;
  /** The number of pods that are ready. */
  readyReplicas?: int32;
  /** The host for which the Ingress routes. */
  host?: string;
  /** Where the load balancer of the Ingress listens: a host name or an IP address. */
  address?: string;
  /**
   * The current conditions: `Ready` is true when all pods run the image.
   * @listType map
   * @listMapKey type
   */
  conditions?: Condition[];
}

/**
 * CustomImageDeploy runs an image, and makes it reachable under a host: a Deployment, a Service and an Ingress of its name.
 * @subresource status
 * @validation {
 *   rule: "self.metadata.name.size() <= 63 && self.metadata.name.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')",
 *   message: "metadata.name must be a DNS label that starts with a letter, because the Service has the same name"
 * }
 * @printcolumn {name: Ready, type: string, jsonPath: '.status.conditions[?(@.type=="Ready")].status'}
 * @printcolumn {name: Size, type: integer, jsonPath: .spec.size}
 * @printcolumn {name: Host, type: string, jsonPath: .status.host}
 * @printcolumn {name: Address, type: string, jsonPath: .status.address}
 * @printcolumn {name: Age, type: date, jsonPath: .metadata.creationTimestamp}
 * @storageVersion
 */
export interface CustomImageDeploy extends KubernetesObject {
  apiVersion: 'customimagedeploy.example.com/v1';
  kind: 'CustomImageDeploy';
  spec: CustomImageDeploySpec;
  status?: CustomImageDeployStatus;
}

export const CustomImageDeploy = defineKind<CustomImageDeploy>({
  apiVersion: 'customimagedeploy.example.com/v1',
  kind: 'CustomImageDeploy',
  plural: 'customimagedeploys',
  scope: 'Namespaced',
});
