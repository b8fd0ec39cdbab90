// Copyright 2026 Harbor Ltd
// SPDX-License-Identifier: MIT

import { TestEnvironment } from 'ots-testing';
import { Client, createLogger, findCondition, Manager } from 'ots-runtime';
import { expect, test } from 'vitest';
import { CustomImageDeploy } from '../../api/images/v1/custom-image-deploy.ts';
import { setupImagesCustomImageDeployController } from './custom-image-deploy.controller.ts';

const logger = createLogger({ level: 'error' });
const listeners = { health: false, metrics: false, webhooks: false } as const;
// Who the operator is in a cluster, as config/rbac says it.
const operator = { serviceAccount: 'controller-manager', namespace: 'system' };
const key = { namespace: operator.namespace, name: 'customimagedeploy-sample' };
const sample: CustomImageDeploy = {
  apiVersion: 'images.example.com/v1',
  kind: 'CustomImageDeploy',
  metadata: key,
  spec: { message: 'Hello' },
};

test('a new CustomImageDeploy becomes ready', async () => {
  // Add `workloads: true` if the controller creates Deployments or other workloads: their pods become ready.
  await using environment = await TestEnvironment.start({ crds: ['config/crd/bases'] });
  await environment.install('config/rbac', { namespace: operator.namespace });
  await using client = new Client(environment.config);
  // It may do what config/rbac grants and nothing else: a missing rule fails the test.
  await using manager = await Manager.create(
    {
      connection: await environment.as(operator),
      cache: { namespaces: [operator.namespace] },
      // As in main.ts: an apply needs it.
      userAgent: 'moved',
      logger,
      ...listeners,
    },
    { failOnDenied: true },
  );
  setupImagesCustomImageDeployController(manager, () => new Date('2026-01-01T00:00:00Z'));
  const running = manager.start();
  running.catch(() => {}); // `ready` and `idle` reject, too.
  await manager.ready;

  await client.create(CustomImageDeploy, sample);
  await manager.idle();

  const found = await client.get(CustomImageDeploy, key);
  expect(findCondition(found?.status?.conditions, 'Ready')).toMatchObject({
    status: 'True',
    reason: 'Reconciled',
    observedGeneration: 1,
    lastTransitionTime: '2026-01-01T00:00:00Z',
  });
  await manager.stop();
  await running;
});
