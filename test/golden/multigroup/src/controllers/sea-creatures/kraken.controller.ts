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
  generationChanged,
  setCondition,
} from 'ots-runtime';
import { Kraken } from '../../api/sea-creatures/v1beta1/kraken.ts';

/**
 * KrakenReconciler moves the cluster toward what each Kraken asks for. It is called whenever one
 * changed, and must do the right thing from any state: what it reads counts, not what happened.
 *
 * @rbac groups=sea-creatures.example.com resources=krakens verbs=get;list;watch
 * @rbac groups=sea-creatures.example.com resources=krakens/status verbs=get;update;patch
 * @rbac groups=sea-creatures.example.com resources=krakens/finalizers verbs=update
 */
export class KrakenReconciler implements Reconciler {
  readonly #client: Client;
  readonly #now: () => Date;

  /** @param now the time of day; tests give one that stands still. */
  constructor(client: Client, now: () => Date = () => new Date()) {
    this.#client = client;
    this.#now = now;
  }

  async reconcile(request: Request, context: ReconcileContext): Promise<Result | void> {
    const resource = await this.#client.get(Kraken, request);
    if (!resource || resource.metadata.deletionTimestamp) return;

    // Create and update here what the Kraken asks for; then report what came of it.
    const { generation } = resource.metadata;
    await this.#client.status.patch(Kraken, resource, (draft) => {
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
 * @param now see the constructor of KrakenReconciler.
 */
export function setupSeaCreaturesKrakenController(manager: Manager, now?: () => Date): void {
  // Changes of the spec and deletions run it. What it writes into the status does not: that would
  // run it without end. If labels or annotations matter, write or(generationChanged(), labelChanged()).
  const predicates = [generationChanged()];
  const controller = new ControllerBuilder(manager).named('sea-creatures-kraken');
  controller.for(Kraken, { predicates });
  controller.complete(new KrakenReconciler(manager.client, now));
}
