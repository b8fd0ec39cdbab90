// Copyright 2026 The myapp-operator authors
// SPDX-License-Identifier: Apache-2.0

import { createLogger, Manager } from 'ots-runtime';
import { expectConvergence } from 'ots-testing';
import { expect, test } from 'vitest';
import { MyApp } from '../api/v1alpha1/my-app.ts';
import { setupMyAppController } from './my-app.controller.ts';

const logger = createLogger({ level: 'silent' });
const listeners = { health: false, metrics: false, webhooks: false } as const;
const operator = { serviceAccount: 'controller-manager', namespace: 'system' };
const key = { namespace: 'default', name: 'web' };
const app: MyApp = {
  apiVersion: 'apps.example.com/v1alpha1',
  kind: 'MyApp',
  metadata: key,
  spec: { replicas: 1, image: 'nginx:typo' },
};

test('the same pods run, whatever happens to the operator', async () => {
  const { writes, edits } = await expectConvergence({
    environment: { crds: ['config/crd/bases'], workloads: true },
    prepare: async (environment) => {
      environment.failures.add({ image: 'nginx:typo' }, { imagePull: 'manifest unknown' });
      await environment.install('config/rbac', { namespace: operator.namespace });
    },
    identity: operator,
    start: async (connection) => {
      const manager = await Manager.create(
        { connection, logger, userAgent: 'myapp-operator', ...listeners },
        { failOnDenied: true },
      );
      setupMyAppController(manager);
      return manager;
    },
    object: app,
    changes: {
      'gets an image that exists': ({ client }) =>
        client.patch(MyApp, key, { spec: { image: 'nginx:1' } }),
      'is scaled': ({ client }) => client.scale.patch(MyApp, key, { spec: { replicas: 2 } }),
    },
  });
  expect(writes).toContain('patch deployments.apps default/web');
  expect(edits).toContain('Deployment web deleted by hand');
}, 600_000);
