// Copyright 2026 The static-site authors
// SPDX-License-Identifier: Apache-2.0

import { Deployment } from 'ots-kubernetes/apps/v1';
import { ConfigMap, Service } from 'ots-kubernetes/core/v1';
import { Ingress } from 'ots-kubernetes/networking/v1';
import { type Manager, compositeController } from 'ots-runtime';
import { StaticSite } from '../api/v1alpha1/static-site.ts';
import { syncStaticSite } from './sync-static-site.ts';

/**
 * Creates the controller and adds it to the manager.
 *
 * @rbac groups=web.example.com resources=staticsites verbs=list;watch
 * @rbac groups=web.example.com resources=staticsites/status verbs=patch
 * @rbac groups=apps resources=deployments verbs=get;list;watch;create;patch
 * @rbac groups=core resources=configmaps verbs=get;list;watch;create;patch;delete
 * @rbac groups=core resources=services verbs=get;list;watch;create;patch
 * @rbac groups=networking.k8s.io resources=ingresses verbs=get;list;watch;create;patch;delete
 * @rbac groups=events.k8s.io resources=events verbs=create;patch
 */
export function setupStaticSiteController(manager: Manager): void {
  compositeController(manager, {
    parent: StaticSite,
    children: [ConfigMap, Deployment, Service, Ingress],
    sync: syncStaticSite,
  });
}
