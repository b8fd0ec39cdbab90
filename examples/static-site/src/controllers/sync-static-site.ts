// Copyright 2026 The static-site authors
// SPDX-License-Identifier: Apache-2.0

import { Deployment } from 'ots-kubernetes/apps/v1';
import { ConfigMap, Service } from 'ots-kubernetes/core/v1';
import { Ingress } from 'ots-kubernetes/networking/v1';
import {
  type DeepReadonly,
  type ObservedChildren,
  type SyncResult,
  desiredChild,
  findCondition,
  setCondition,
} from 'ots-runtime';
import type { StaticSite } from '../api/v1alpha1/static-site.ts';
import { deploymentFor, ingressFor, pagesFor, pagesNamed, serviceFor } from './children.ts';

/** From a StaticSite and what exists to what should exist. It reads nothing else and changes nothing. */
export function syncStaticSite(
  site: DeepReadonly<StaticSite>,
  observed: ObservedChildren,
): SyncResult<StaticSite, ConfigMap | Deployment | Service | Ingress> {
  const { hosts = [] } = site.spec;
  const pages = pagesFor(site);
  const deployment = observed.get(Deployment, site.metadata.name!);
  const isServed = serves(deployment, pages.metadata.name);
  // Web servers of an earlier version need their pages until the last of them is gone.
  const earlier = observed
    .of(ConfigMap)
    .filter(({ metadata }) => metadata.name !== pages.metadata.name);
  const kept = isServed
    ? []
    : earlier.map(({ metadata, data }) => pagesNamed(metadata.name!, site, data));
  return {
    children: [
      ...[pages, ...kept].map((each) => desiredChild(ConfigMap, each)),
      desiredChild(Deployment, deploymentFor(site, pages.metadata.name)),
      desiredChild(Service, serviceFor(site)),
      ...(hosts.length > 0 ? [desiredChild(Ingress, ingressFor(site, hosts))] : []),
    ],
    status: {
      readyReplicas: deployment?.status?.readyReplicas ?? 0,
      conditions: setCondition(site.status?.conditions, {
        type: 'Ready',
        status: isServed ? 'True' : 'False',
        ...(isServed ? { reason: 'Served', message: '' } : progressOf(deployment)),
        observedGeneration: site.metadata.generation,
      }),
    },
  };
}

/** Whether all web servers have these pages, and no others are left. */
function serves(deployment: DeepReadonly<Deployment> | undefined, pages: string): boolean {
  const { metadata, spec, status = {} } = deployment ?? {};
  const volumes = spec?.template.spec?.volumes ?? [];
  return (
    volumes.some(({ configMap }) => configMap?.name === pages) &&
    status.observedGeneration === metadata?.generation &&
    [status.replicas, status.updatedReplicas, status.availableReplicas].every(
      (n) => n === spec?.replicas,
    )
  );
}

/** Why the pages are not served yet, in the words of the Deployment. */
function progressOf(deployment: DeepReadonly<Deployment> | undefined): {
  reason: string;
  message: string;
} {
  const progress = findCondition(deployment?.status?.conditions, 'Progressing');
  return { reason: progress?.reason ?? 'Started', message: progress?.message ?? '' };
}
