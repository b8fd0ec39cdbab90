// Copyright 2026 Acme Ltd
// SPDX-License-Identifier: MIT

import { TestEnvironment } from 'ots-testing';
import { Client, createLogger, findCondition, Manager } from 'ots-runtime';
import { expect, test } from 'vitest';
import { Kraken } from '../../api/sea-creatures/v1beta1/kraken.ts';
import { setupSeaCreaturesKrakenController } from './kraken.controller.ts';

const logger = createLogger({ level: 'silent' });
const listeners = { health: false, metrics: false, webhooks: false } as const;
const key = { namespace: 'default', name: 'kraken-sample' };
const sample: Kraken = {
  apiVersion: 'sea-creatures.example.com/v1beta1',
  kind: 'Kraken',
  metadata: key,
  spec: { message: 'Hello' },
};

test('a new Kraken becomes ready', async () => {
  await using environment = await TestEnvironment.start({ crds: ['config/crd/bases'] });
  await using client = new Client(environment.config);
  await using manager = await Manager.create({
    connection: environment.config,
    logger,
    ...listeners,
  });
  setupSeaCreaturesKrakenController(manager, () => new Date('2026-01-01T00:00:00Z'));
  const running = manager.start();
  await manager.ready;

  await client.create(Kraken, sample);
  await manager.idle();

  const found = await client.get(Kraken, key);
  expect(findCondition(found?.status?.conditions, 'Ready')).toMatchObject({
    status: 'True',
    reason: 'Reconciled',
    observedGeneration: 1,
    lastTransitionTime: '2026-01-01T00:00:00Z',
  });
  await manager.stop();
  await running;
});
