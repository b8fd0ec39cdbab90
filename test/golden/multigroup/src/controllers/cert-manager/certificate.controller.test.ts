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

const logger = createLogger({ level: 'silent' });
const listeners = { health: false, metrics: false, webhooks: false } as const;
const key = { namespace: 'default', name: 'certificate-sample' };
const sample: Certificate = {
  apiVersion: 'cert-manager.io/v1',
  kind: 'Certificate',
  metadata: key,
  spec: { message: 'Hello' },
};

test('a new Certificate is reconciled', async () => {
  const reconcile = vi.spyOn(CertificateReconciler.prototype, 'reconcile');
  await using environment = await TestEnvironment.start({ crds: ['test/crds'] });
  await using client = new Client(environment.config);
  await using manager = await Manager.create({
    connection: environment.config,
    logger,
    ...listeners,
  });
  setupCertManagerCertificateController(manager);
  const running = manager.start();
  await manager.ready;

  await client.create(Certificate, sample);
  await manager.idle();

  expect(reconcile.mock.calls[0]?.[0]).toMatchObject(key);
  await manager.stop();
  await running;
});
