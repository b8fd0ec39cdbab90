// Copyright 2026 Acme Ltd
// SPDX-License-Identifier: MIT

import { TestEnvironment } from 'ots-testing';
import { Client, createLogger, Manager } from 'ots-runtime';
import { expect, test } from 'vitest';
import { Deployment } from 'ots-kubernetes/apps/v1';
import { setupAppsDeploymentController } from './deployment.controller.ts';

const logger = createLogger({ level: 'error' });
const listeners = { health: false, metrics: false, webhooks: false } as const;
// Who the operator is in a cluster, as config/rbac says it.
const operator = { serviceAccount: 'controller-manager', namespace: 'system' };

test('the manager is ready once its cache holds every Deployment', async () => {
  await using environment = await TestEnvironment.start();
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
  setupAppsDeploymentController(manager);
  const running = manager.start();
  running.catch(() => {}); // `ready` and `idle` reject, too.

  await manager.ready;

  expect(await client.list(Deployment)).toHaveProperty('items');
  await manager.stop();
  await running;
});
