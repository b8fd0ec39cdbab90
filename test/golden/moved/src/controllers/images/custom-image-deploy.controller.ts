// Copyright 2026 Somebody Else
// SPDX-License-Identifier: MIT

import {
  type Client,
  ControllerBuilder,
  type Manager,
  type ReconcileContext,
  type Reconciler,
  type Request,
  type Result,
  setCondition,
} from 'ots-runtime';
import { CustomImageDeploy } from '../../api/images/v1/custom-image-deploy.ts';

/**
 * CustomImageDeployReconciler moves the cluster toward what each CustomImageDeploy asks for. It is called whenever one
 * changed, and must do the right thing from any state: what it reads counts, not what happened.
 *
 * @rbac groups=images.example.com resources=customimagedeploys verbs=get;list;watch
 * @rbac groups=images.example.com resources=customimagedeploys/status verbs=get;update;patch
 * @rbac groups=images.example.com resources=customimagedeploys/finalizers verbs=update
 */
export class CustomImageDeployReconciler implements Reconciler {
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  async reconcile(request: Request, context: ReconcileContext): Promise<Result | void> {
    const resource = await this.#client.get(CustomImageDeploy, request);
    if (!resource || resource.metadata.deletionTimestamp) return;

    // Create and update here what the CustomImageDeploy asks for; then report what came of it.
    const { generation } = resource.metadata;
    await this.#client.status.patch(CustomImageDeploy, resource, (draft) => {
      const conditions = setCondition(draft.status?.conditions, {
        type: 'Ready',
        status: 'True',
        reason: 'Reconciled',
        message: `Reconciled "${resource.spec.message}"`,
        observedGeneration: generation,
      });
      draft.status = { ...draft.status, observedGeneration: generation, conditions };
    });
    context.logger.debug({ generation }, 'reconciled');
  }
}

/** Makes the controller and adds it to the manager. */
export function setupImagesCustomImageDeployController(manager: Manager): void {
  const controller = new ControllerBuilder(manager)
    .named('images-customimagedeploy')
    .for(CustomImageDeploy);
  controller.complete(new CustomImageDeployReconciler(manager.client));
}
