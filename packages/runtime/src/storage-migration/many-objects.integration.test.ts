import { type Clock, systemClock } from 'ots-apimachinery/clock/clock';
import { expect, test } from 'vitest';
import { apiServerFixture } from '../../test/api-server-fixture.ts';
import { Gears } from '../../test/gears.ts';
import { migrateStorage } from './migrate-storage.ts';

// Runs against the embedded API server, and against a real one when KUBEBUILDER_ASSETS is set.

const server = apiServerFixture();
/** Waits for nothing. */
const hasty: Clock = { ...systemClock, setTimeout: (callback) => setImmediate(callback) };

test('2,000 objects are rewritten in pages, and after an interruption only those that are left', async () => {
  const names = Array.from({ length: 2000 }, (_, index) => `gear-${index}`);
  const gears = new Gears(server.client, 'many');
  await gears.install('v1');
  await gears.create('v1', ...names);
  await gears.setVersions(['v1', 'v2']);
  const stop = new AbortController();
  const options = { settleTime: 0, signal: stop.signal };
  const interrupted = migrateStorage(
    server.client,
    gears.crd,
    { ...options, onProgress: ({ done }) => done === 1200 && stop.abort(new Error('killed')) },
    { clock: hasty },
  );
  await expect(interrupted).rejects.toThrow('killed');
  const halfway = await gears.resourceVersions('v2');

  const finished = await migrateStorage(server.client, gears.crd, { settleTime: 0 }, { clock: hasty });
  expect(finished).toMatchObject({ rewritten: 800, droppedVersions: ['v1'] });
  const after = await gears.resourceVersions('v2');
  expect(names.filter((name) => after.get(name) === halfway.get(name))).toHaveLength(1200);
  await gears.setVersions(['v2']);
  expect((await gears.resourceVersions('v2')).size).toBe(2000);
}, 240_000);
