// Copyright 2026 Acme Ltd
// SPDX-License-Identifier: MIT

import {
  type Client,
  ControllerBuilder,
  type Manager,
  type ReconcileContext,
  type Reconciler,
  type Request,
  type Result,
} from 'ots-runtime';
import { Deployment } from 'ots-kubernetes/apps/v1';

/**
 * DeploymentReconciler moves the cluster toward the desired state of each Deployment. It runs whenever one
 * changes and must work from any state: it acts on what it reads, not on what happened.
 *
 * @rbac groups=apps resources=deployments verbs=get;list;watch
 */
export class DeploymentReconciler implements Reconciler {
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  async reconcile(request: Request, context: ReconcileContext): Promise<Result | void> {
    const resource = await this.#client.get(Deployment, request);
    if (!resource || resource.metadata.deletionTimestamp) return;

    context.logger.info({ resourceVersion: resource.metadata.resourceVersion }, 'reconciling');
  }
}

/** Creates the controller and adds it to the manager. */
export function setupAppsDeploymentController(manager: Manager): void {
  const controller = new ControllerBuilder(manager).named('apps-deployment').for(Deployment);
  controller.complete(new DeploymentReconciler(manager.client));
}
