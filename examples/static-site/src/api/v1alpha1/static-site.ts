// Copyright 2026 The static-site authors
// SPDX-License-Identifier: Apache-2.0

import {
  type Condition,
  type KubernetesObject,
  defineKind,
  type int32,
  type int64,
} from 'ots-runtime';

/** The desired state of StaticSite. */
export interface StaticSiteSpec {
  /**
   * The content of each page by its file name, such as `index.html`.
   * @minProperties 1
   * @maxProperties 100
   * @validation {rule: "self.all(name, name.matches('^[-_a-zA-Z0-9]+([.][-_a-zA-Z0-9]+)*$'))", message: "a file name consists of letters, digits, '-', '_' and '.'"}
   */
  pages: Record<string, string>;
  /**
   * The names under which the site can be reached from outside of the cluster; none by default.
   * @maxItems 10
   * @listType set
   */
  hosts?: Host[];
  /**
   * The number of web servers.
   * @minimum 1
   * @maximum 10
   * @default 1
   */
  replicas?: int32;
  /**
   * The image of the web server. It serves the files in /usr/share/nginx/html on port 8080.
   * @minLength 1
   * @default "nginxinc/nginx-unprivileged:1.27"
   */
  image?: string;
}

/**
 * A host name.
 * @maxLength 253
 * @format hostname
 */
export type Host = string;

/** The observed state of StaticSite. */
export interface StaticSiteStatus {
  /** The generation of the spec that this status reflects. */
  observedGeneration?: int64;
  /** The number of web servers that serve the pages. */
  readyReplicas?: int32;
  /**
   * `Ready` says whether the web servers serve the current pages.
   * @listType map
   * @listMapKey type
   */
  conditions?: Condition[];
}

/**
 * StaticSite is a web site that consists of files. Its objects in the cluster have its name.
 * @validation {rule: "self.metadata.name.matches('^[a-z]([-a-z0-9]{0,50}[a-z0-9])?$')", message: "the name must be that of a Service: at most 52 lower-case letters, digits and '-'"}
 * @subresource status
 * @printcolumn {name: Hosts, type: string, jsonPath: .spec.hosts}
 * @printcolumn {name: Ready, type: string, jsonPath: '.status.conditions[?(@.type=="Ready")].status'}
 * @printcolumn {name: Age, type: date, jsonPath: .metadata.creationTimestamp}
 * @storageVersion
 */
export interface StaticSite extends KubernetesObject {
  apiVersion: 'web.example.com/v1alpha1';
  kind: 'StaticSite';
  spec: StaticSiteSpec;
  status?: StaticSiteStatus;
}

export const StaticSite = defineKind<StaticSite>({
  apiVersion: 'web.example.com/v1alpha1',
  kind: 'StaticSite',
  plural: 'staticsites',
  scope: 'Namespaced',
});
