// Copyright 2026 The static-site authors
// SPDX-License-Identifier: Apache-2.0

import { createHash } from 'node:crypto';
import type { Deployment } from 'ots-kubernetes/apps/v1';
import type { ConfigMap, Service } from 'ots-kubernetes/core/v1';
import type { Ingress } from 'ots-kubernetes/networking/v1';
import { type ApplyConfiguration, type DeepReadonly, childName } from 'ots-runtime';
import type { StaticSite } from '../api/v1alpha1/static-site.ts';

type Site = DeepReadonly<StaticSite>;

/** The pages under a name of their own: other pages have another name, so a web server never sees half of a change. */
export function pagesFor(site: Site): ApplyConfiguration<ConfigMap> {
  const sorted = Object.entries(site.spec.pages).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const hash = createHash('sha256').update(JSON.stringify(sorted)).digest('hex').slice(0, 10);
  return pagesNamed(childName(site, hash), site, site.spec.pages);
}

/** The pages of an earlier version. */
export function pagesNamed(
  name: string,
  site: Site,
  data: DeepReadonly<ConfigMap['data']>,
): ApplyConfiguration<ConfigMap> {
  return { metadata: { name, labels: labelsOf(site) }, immutable: true, data: { ...data } };
}

/** The web servers: a change of `pages`, the name of the ConfigMap, replaces them one by one. */
export function deploymentFor(site: Site, pages: string): ApplyConfiguration<Deployment> {
  const labels = labelsOf(site);
  return {
    metadata: { name: site.metadata.name!, labels },
    spec: {
      replicas: site.spec.replicas ?? 1,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
          containers: [
            {
              name: 'web',
              image: site.spec.image!,
              ports: [{ name: 'http', containerPort: 8080 }],
              readinessProbe: { httpGet: { path: '/', port: 'http' } },
              securityContext: {
                allowPrivilegeEscalation: false,
                readOnlyRootFilesystem: true,
                capabilities: { drop: ['ALL'] },
              },
              volumeMounts: [
                { name: 'pages', mountPath: '/usr/share/nginx/html', readOnly: true },
                { name: 'tmp', mountPath: '/tmp' },
              ],
            },
          ],
          volumes: [
            { name: 'pages', configMap: { name: pages } },
            { name: 'tmp', emptyDir: {} },
          ],
        },
      },
    },
  };
}

export function serviceFor(site: Site): ApplyConfiguration<Service> {
  const labels = labelsOf(site);
  return {
    metadata: { name: site.metadata.name!, labels },
    spec: { selector: labels, ports: [{ name: 'http', port: 80, targetPort: 'http' }] },
  };
}

export function ingressFor(site: Site, hosts: readonly string[]): ApplyConfiguration<Ingress> {
  const name = site.metadata.name!;
  const backend = { service: { name, port: { name: 'http' } } };
  const http = { paths: [{ path: '/', pathType: 'Prefix' as const, backend }] };
  return {
    metadata: { name, labels: labelsOf(site) },
    spec: { rules: hosts.map((host) => ({ host, http })) },
  };
}

function labelsOf(site: Site): Record<string, string> {
  return {
    'app.kubernetes.io/name': 'static-site',
    'app.kubernetes.io/instance': site.metadata.name!,
  };
}
