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
import { MyApp } from '../../api/apps/v1alpha1/my-app.ts';

/**
 * MyAppReconciler moves the cluster toward what each MyApp asks for. It is called whenever one
 * changed, and must do the right thing from any state: what it reads counts, not what happened.
 *
 * @rbac groups=apps.example.com resources=myapps verbs=get;list;watch
 * @rbac groups=apps.example.com resources=myapps/status verbs=get;update;patch
 * @rbac groups=apps.example.com resources=myapps/finalizers verbs=update
 */
export class MyAppReconciler implements Reconciler {
  readonly #client: Client;
  readonly #now: () => Date;

  /** @param now the time of day; tests give one that stands still. */
  constructor(client: Client, now: () => Date = () => new Date()) {
    this.#client = client;
    this.#now = now;
  }

  async reconcile(request: Request, context: ReconcileContext): Promise<Result | void> {
    const resource = await this.#client.get(MyApp, request);
    if (!resource || resource.metadata.deletionTimestamp) return;

    // Create and update here what the MyApp asks for; then report what came of it.
    const { generation } = resource.metadata;
    await this.#client.status.patch(MyApp, resource, (draft) => {
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
 * @param now see the constructor of MyAppReconciler.
 */
export function setupMyAppController(manager: Manager, now?: () => Date): void {
  // Changes of the spec and deletions run it. What it writes into the status does not: that would
  // run it without end. If labels or annotations matter, write or(generationChanged(), labelChanged()).
  const predicates = [generationChanged()];
  const controller = new ControllerBuilder(manager).named('myapp');
  controller.for(MyApp, { predicates });
  controller.complete(new MyAppReconciler(manager.client, now));
}
