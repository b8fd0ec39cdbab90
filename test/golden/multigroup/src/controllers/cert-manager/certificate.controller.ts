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
 * CertificateReconciler moves the cluster toward what each Certificate asks for. It is called whenever one
 * changed, and must do the right thing from any state: what it reads counts, not what happened.
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

/** Makes the controller and adds it to the manager. */
export function setupCertManagerCertificateController(manager: Manager): void {
  const controller = new ControllerBuilder(manager)
    .named('cert-manager-certificate')
    .for(Certificate);
  controller.complete(new CertificateReconciler(manager.client));
}
