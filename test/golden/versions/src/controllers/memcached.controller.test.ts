import { TestEnvironment } from 'ots-testing';
import { Client, createLogger, findCondition, Manager } from 'ots-runtime';
import { expect, test } from 'vitest';
import { Memcached } from '../api/v1/memcached.ts';
import { setupMemcachedController } from './memcached.controller.ts';

const logger = createLogger({ level: 'silent' });
const listeners = { health: false, metrics: false, webhooks: false } as const;
const key = { namespace: 'default', name: 'memcached-sample' };
const sample: Memcached = {
  apiVersion: 'cache.example.com/v1',
  kind: 'Memcached',
  metadata: key,
  spec: { message: 'Hello' },
};

test('a new Memcached becomes ready', async () => {
  await using environment = await TestEnvironment.start({ crds: ['config/crd/bases'] });
  await using client = new Client(environment.config);
  await using manager = await Manager.create({
    connection: environment.config,
    logger,
    ...listeners,
  });
  setupMemcachedController(manager, () => new Date('2026-01-01T00:00:00Z'));
  const running = manager.start();
  await manager.ready;

  await client.create(Memcached, sample);
  await manager.idle();

  const found = await client.get(Memcached, key);
  expect(findCondition(found?.status?.conditions, 'Ready')).toMatchObject({
    status: 'True',
    reason: 'Reconciled',
    observedGeneration: 1,
    lastTransitionTime: '2026-01-01T00:00:00Z',
  });
  await manager.stop();
  await running;
});
