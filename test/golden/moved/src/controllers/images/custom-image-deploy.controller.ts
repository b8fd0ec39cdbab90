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
  generationChanged,
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
  readonly #now: () => Date;

  /** @param now the time of day; tests give one that stands still. */
  constructor(client: Client, now: () => Date = () => new Date()) {
    this.#client = client;
    this.#now = now;
  }

  async reconcile(request: Request, context: ReconcileContext): Promise<Result | void> {
    const resource = await this.#client.get(CustomImageDeploy, request);
    if (!resource || resource.metadata.deletionTimestamp) return;

    // Create and update here what the CustomImageDeploy asks for; then report what came of it.
    const { generation } = resource.metadata;
    await this.#client.status.patch(CustomImageDeploy, resource, (draft) => {
      const ready = {
        type: 'Ready',
        status: 'True',
        reason: 'Reconciled',
        message: `Reconciled "${resource.spec.message}"`,
        observedGeneration: generation,
      } as const;
      const conditions = setCondition(draft.status?.conditions, ready, this.#now());
      draft.status = { ...draft.status, observedGeneration: generation, conditions };
    });
    context.logger.debug({ generation }, 'reconciled');
  }
}

/**
 * Makes the controller and adds it to the manager.
 * @param now see the constructor of CustomImageDeployReconciler.
 */
export function setupImagesCustomImageDeployController(manager: Manager, now?: () => Date): void {
  // Changes of the spec and deletions run it. What it writes into the status does not: that would
  // run it without end. If labels or annotations matter, write or(generationChanged(), labelChanged()).
  const predicates = [generationChanged()];
  const controller = new ControllerBuilder(manager).named('images-customimagedeploy');
  controller.for(CustomImageDeploy, { predicates });
  controller.complete(new CustomImageDeployReconciler(manager.client, now));
}
