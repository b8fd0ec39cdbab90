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
import { Certificate } from '../../external/cert-manager/v1/certificate.ts';

/**
 * CertificateReconciler moves the cluster toward the desired state of each Certificate. It runs whenever one
 * changes and must work from any state: it acts on what it reads, not on what happened.
 *
 * @rbac groups=cert-manager.io resources=certificates verbs=get;list;watch
 */
export class CertificateReconciler implements Reconciler {
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  async reconcile(request: Request, context: ReconcileContext): Promise<Result | void> {
    const resource = await this.#client.get(Certificate, request);
    if (!resource || resource.metadata.deletionTimestamp) return;

    context.logger.info({ resourceVersion: resource.metadata.resourceVersion }, 'reconciling');
  }
}

/** Creates the controller and adds it to the manager. */
export function setupCertManagerCertificateController(manager: Manager): void {
  const controller = new ControllerBuilder(manager)
    .named('cert-manager-certificate')
    .for(Certificate);
  controller.complete(new CertificateReconciler(manager.client));
}
