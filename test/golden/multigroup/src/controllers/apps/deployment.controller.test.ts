// Copyright 2026 Acme Ltd
// SPDX-License-Identifier: MIT

import { TestEnvironment } from 'ots-testing';
import { Client, createLogger, Manager } from 'ots-runtime';
import { expect, test } from 'vitest';
import { Deployment } from 'ots-kubernetes/apps/v1';
import { setupAppsDeploymentController } from './deployment.controller.ts';

const logger = createLogger({ level: 'silent' });
const listeners = { health: false, metrics: false, webhooks: false } as const;

test('the manager is ready once its cache holds every Deployment', async () => {
  await using environment = await TestEnvironment.start();
  await using client = new Client(environment.config);
  await using manager = await Manager.create({
    connection: environment.config,
    logger,
    ...listeners,
  });
  setupAppsDeploymentController(manager);
  const running = manager.start();

  await manager.ready;

  expect(await client.list(Deployment)).toHaveProperty('items');
  await manager.stop();
  await running;
});
