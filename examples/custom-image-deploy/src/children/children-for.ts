// Copyright 2026 The custom-image-deploy authors
// SPDX-License-Identifier: Apache-2.0

import type { Deployment } from 'ots-kubernetes/apps/v1';
import type { Service } from 'ots-kubernetes/core/v1';
import type { Ingress } from 'ots-kubernetes/networking/v1';
import { type ApplyConfiguration, type DeepReadonly, controllerReference } from 'ots-runtime';
import type { CustomImageDeploy } from '../api/v1/custom-image-deploy.ts';

type Owner = DeepReadonly<CustomImageDeploy>;
/** The port of the container, by its name: the Service need not know the number. */
const http = 'http';

export function deploymentFor(owner: Owner): ApplyConfiguration<Deployment> {
  const { image, size = 1, port } = owner.spec;
  const labels = labelsOf(owner);
  const ports = [{ name: http, containerPort: port, protocol: 'TCP' as const }];
  return {
    metadata: metadataOf(owner),
    spec: {
      replicas: size,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'app', image, ports }] } },
    },
  };
}

export function serviceFor(owner: Owner): ApplyConfiguration<Service> {
  const ports = [{ name: http, port: 80, protocol: 'TCP' as const, targetPort: http }];
  return { metadata: metadataOf(owner), spec: { selector: labelsOf(owner), ports } };
}

export function ingressFor(owner: Owner): ApplyConfiguration<Ingress> {
  const backend = { service: { name: owner.metadata.name!, port: { name: http } } };
  const paths = [{ path: '/', pathType: 'Prefix' as const, backend }];
  return {
    metadata: metadataOf(owner),
    spec: { rules: [{ host: hostOf(owner), http: { paths } }] },
  };
}

/** The host for which the Ingress routes. */
export function hostOf({ metadata: { name, namespace } }: Owner): string {
  return `${name}.${namespace}`;
}

function metadataOf(owner: Owner) {
  const { name = '', namespace } = owner.metadata;
  return {
    name,
    namespace,
    labels: labelsOf(owner),
    ownerReferences: [controllerReference(owner)],
  };
}

function labelsOf({ metadata: { name = '' } }: Owner): Record<string, string> {
  return { app: name, managed_by: 'custom-image-deploy' };
}
