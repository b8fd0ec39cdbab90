import { TestEnvironment } from 'ots-apiserver';
import { Client, createLogger, Manager, waitFor } from 'ots-runtime';
import { expect, it } from 'vitest';
import { Memcached } from '../api/v1/memcached.ts';
import { setupMemcachedBackupController } from './memcached-backup.controller.ts';

const logger = createLogger({ level: 'silent' });
const listeners = { health: false, metrics: false, webhooks: false } as const;
const key = { namespace: 'default', name: 'memcached-sample' };
const sample: Memcached = {
  apiVersion: 'cache.example.com/v1',
  kind: 'Memcached',
  metadata: key,
  spec: { message: 'Hello' },
};

it('reports a new Memcached as ready', async () => {
  await using environment = await TestEnvironment.start({ crds: ['config/crd/bases'] });
  await using client = new Client(environment.config);
  await using manager = await Manager.create({
    connection: environment.config,
    logger,
    ...listeners,
  });
  setupMemcachedBackupController(manager);
  const running = manager.start();
  await manager.ready;

  await client.create(Memcached, sample);

  const ready = await waitFor(async () => {
    const found = await client.get(Memcached, key);
    return found?.status?.conditions?.find((condition) => condition.type === 'Ready');
  });
  expect(ready).toMatchObject({ status: 'True', reason: 'Reconciled', observedGeneration: 1 });
  await manager.stop();
  await running;
});
