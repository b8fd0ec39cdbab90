// Copyright 2026 Acme Ltd
// SPDX-License-Identifier: MIT

import { TestEnvironment } from 'ots-testing';
import { Client, createLogger, Manager } from 'ots-runtime';
import { expect, test, vi } from 'vitest';
import { Certificate } from '../../external/cert-manager/v1/certificate.ts';
import {
  CertificateReconciler,
  setupCertManagerCertificateController,
} from './certificate.controller.ts';

const logger = createLogger({ level: 'error' });
const listeners = { health: false, metrics: false, webhooks: false } as const;
// Who the operator is in a cluster, as config/rbac says it.
const operator = { serviceAccount: 'controller-manager', namespace: 'system' };
const key = { namespace: 'default', name: 'certificate-sample' };
const sample: Certificate = {
  apiVersion: 'cert-manager.io/v1',
  kind: 'Certificate',
  metadata: key,
  spec: { message: 'Hello' },
};

test('a new Certificate is reconciled', async () => {
  const reconcile = vi.spyOn(CertificateReconciler.prototype, 'reconcile');
  // Add `workloads: true` if the controller creates Deployments or other workloads: their pods become ready.
  await using environment = await TestEnvironment.start({ crds: ['test/crds'] });
  await environment.install('config/rbac', { namespace: operator.namespace });
  await using client = new Client(environment.config);
  // It may do what config/rbac grants and nothing else: a missing rule fails the test.
  await using manager = await Manager.create(
    {
      connection: await environment.as(operator),
      // As in main.ts: an apply needs it.
      userAgent: 'multigroup',
      logger,
      ...listeners,
    },
    { failOnDenied: true },
  );
  setupCertManagerCertificateController(manager);
  const running = manager.start();
  running.catch(() => {}); // `ready` and `idle` reject, too.
  await manager.ready;

  await client.create(Certificate, sample);
  await manager.idle();

  expect(reconcile.mock.calls[0]?.[0]).toMatchObject(key);
  await manager.stop();
  await running;
});
