import { readFileSync } from 'node:fs';
import { Client, createLogger, Manager } from 'ots-runtime';
import { readManifest, TestEnvironment } from 'ots-testing';
import { expect, test, vi } from 'vitest';
import { Memcached as Hub } from '../../api/v1/memcached.ts';
import { Memcached as Spoke } from '../../api/v2/memcached.ts';
import { setupWebhooks } from '../index.ts';
import { memcachedV2Conversion } from './memcached.conversion.ts';

test('the conversion is written', () => {
  const code = readFileSync(new URL('memcached.conversion.ts', import.meta.url), 'utf8');
  expect(code, 'Write the conversion, and remove its TODO').not.toContain('TODO: write');
});

// The samples should set every field, above all those that the other version does not have.
const spoke = await readManifest(Spoke, 'config/samples/cache_v2_memcached.yaml');
const hub = await readManifest(Hub, 'config/samples/cache_v1_memcached.yaml');
const lost =
  'memcachedV2Conversion loses or changes a field: ' +
  'keep what a version cannot express in an annotation';

test('converting v2 to v1 and back loses nothing', () => {
  const converted = memcachedV2Conversion.convertTo(structuredClone(spoke));
  expect(converted.apiVersion, 'Let convertTo return v1').toBe('cache.example.com/v1');
  expect(memcachedV2Conversion.convertFrom(converted), lost).toEqual(spoke);
});

test('converting v1 to v2 and back loses nothing', () => {
  const converted = memcachedV2Conversion.convertFrom(structuredClone(hub));
  expect(converted.apiVersion, 'Let convertFrom return v2').toBe('cache.example.com/v2');
  expect(memcachedV2Conversion.convertTo(converted), lost).toEqual(hub);
});

const notCalled =
  'The API server does not call memcachedV2Conversion: ' +
  'add setupMemcachedV2Conversion to the list in src/webhooks/index.ts, ' +
  'or correct its @conversion tag and run `npm run manifests`';

test('the sample of v2 can be read in v1', async () => {
  const convertTo = vi.spyOn(memcachedV2Conversion, 'convertTo');
  await using environment = await TestEnvironment.start({ crds: ['config/crd/bases'] });
  await using client = new Client(environment.config);
  // Without the option `webhooks`, the manager serves them to the API server of the test.
  await using manager = await Manager.create({
    connection: environment.config,
    logger: createLogger({ level: 'error', format: 'pretty' }),
  });
  setupWebhooks(manager);
  const running = manager.start();
  running.catch(() => {}); // `ready` rejects, too.
  await manager.ready;

  const [created] = await environment.install('config/samples/cache_v2_memcached.yaml');
  expect(convertTo, notCalled).toHaveBeenCalled();

  const key = { namespace: 'default', name: created?.metadata.name ?? '' };
  expect(await client.get(Hub, key)).toMatchObject({
    apiVersion: 'cache.example.com/v1',
    metadata: { uid: created?.metadata.uid },
  });
  expect(await client.get(Spoke, key), lost).toMatchObject(spoke);
  await manager.stop();
  await running;
});
