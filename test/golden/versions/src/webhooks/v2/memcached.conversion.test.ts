import { readFileSync } from 'node:fs';
import { Client, createLogger, Manager } from 'ots-runtime';
import { TestEnvironment } from 'ots-testing';
import { expect, test } from 'vitest';
import { Memcached as Hub } from '../../api/v1/memcached.ts';
import { Memcached as Spoke } from '../../api/v2/memcached.ts';
import { setupWebhooks } from '../index.ts';
import { memcachedV2Conversion } from './memcached.conversion.ts';

test('the conversion is written', () => {
  const code = readFileSync(new URL('memcached.conversion.ts', import.meta.url), 'utf8');
  expect(code, 'Write the conversion, and remove its TODO').not.toContain('TODO: write');
});

test('converting v2 to v1 and back loses nothing', () => {
  // Set every field of v2, above all those that v1 does not have.
  const spoke = {
    apiVersion: 'cache.example.com/v2',
    kind: 'Memcached',
    metadata: { name: 'sample' },
  } as Spoke;

  const hub = memcachedV2Conversion.convertTo(spoke);

  expect(hub.apiVersion).toBe('cache.example.com/v1');
  expect(memcachedV2Conversion.convertFrom(hub)).toEqual(spoke);
});

test('the sample of v2 can be read in v1', async () => {
  await using environment = await TestEnvironment.start({ crds: ['config/crd/bases'] });
  await using client = new Client(environment.config);
  // Without the option `webhooks`, the manager serves them to the API server of the test.
  await using manager = await Manager.create({
    connection: environment.config,
    logger: createLogger({ level: 'silent' }),
  });
  setupWebhooks(manager);
  const running = manager.start();
  running.catch(() => {}); // `ready` rejects, too.
  await manager.ready;

  const [created] = await environment.install('config/samples/cache_v2_memcached.yaml');

  const key = { namespace: 'default', name: created?.metadata.name ?? '' };
  const hub = await client.get(Hub, key);
  expect(hub).toMatchObject({
    apiVersion: 'cache.example.com/v1',
    metadata: { uid: created?.metadata.uid },
  });
  expect(await client.get(Spoke, key)).toEqual(created);
  await manager.stop();
  await running;
});
