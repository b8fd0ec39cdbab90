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
 * DeploymentReconciler moves the cluster toward what each Deployment asks for. It is called whenever one
 * changed, and must do the right thing from any state: what it reads counts, not what happened.
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

/** Makes the controller and adds it to the manager. */
export function setupAppsDeploymentController(manager: Manager): void {
  const controller = new ControllerBuilder(manager).named('apps-deployment').for(Deployment);
  controller.complete(new DeploymentReconciler(manager.client));
}
