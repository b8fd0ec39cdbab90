import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { type Clock, systemClock } from 'ots-apimachinery/clock/clock';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { apiServerFixture } from '../../test/api-server-fixture.ts';
import { servingCertificate } from '../../test/faults/serving-certificate.ts';
import { Gears } from '../../test/gears.ts';
import { waitFor } from '../waiting/wait-for.ts';
import { migrateStorage } from './migrate-storage.ts';
import { StorageMigrationError } from './storage-migration-error.ts';

// Kinds whose versions a webhook converts. Runs against the embedded API server, and against a real one when
// KUBEBUILDER_ASSETS is set.

interface Gear {
  apiVersion: string;
  metadata: { name: string };
  spec: { size?: number; text?: string };
}

const server = apiServerFixture();
const hasty: Clock = { ...systemClock, setTimeout: (callback) => setImmediate(callback) };
const { ca, cert, key } = servingCertificate();
/** The objects that cannot be converted to v2. */
const unlucky = new Set<string>();
let isDown = false;

/** In v1 the size is a number, in v2 a text. */
function converted({ spec, ...gear }: Gear, apiVersion: string): Gear {
  if (apiVersion.endsWith('v1')) return { ...gear, apiVersion, spec: { size: Number(spec.text) } };
  if (unlucky.has(gear.metadata.name)) throw new Error(`${gear.metadata.name} is unlucky`);
  return { ...gear, apiVersion, spec: { text: String(spec.size) } };
}

interface ConversionRequest {
  uid: string;
  desiredAPIVersion: string;
  objects: Gear[];
}

function respond({ uid, desiredAPIVersion, objects }: ConversionRequest): object {
  try {
    const convertedObjects = objects.map((gear) => converted(gear, desiredAPIVersion));
    return { uid, result: { status: 'Success' }, convertedObjects };
  } catch (error) {
    return { uid, result: { status: 'Failure', message: (error as Error).message } };
  }
}

const webhook = createServer({ cert, key }, (request, response) => {
  void json(request).then((review) => {
    const { request: asked, ...rest } = review as { request: ConversionRequest };
    response.statusCode = isDown ? 503 : 200;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ ...rest, response: respond(asked) }));
  });
});
beforeAll(() => new Promise<void>((resolve) => webhook.listen(0, '127.0.0.1', resolve)));
afterAll(() => new Promise<unknown>((resolve) => webhook.close(resolve).closeAllConnections()));
beforeEach(() => {
  unlucky.clear();
  isDown = false;
});

async function upgraded(plural: string, ...names: string[]): Promise<Gears> {
  const gears = new Gears(server.client, plural);
  await gears.install('v1');
  await gears.create('v1', ...names);
  const { port } = webhook.address() as AddressInfo;
  const clientConfig = { url: `https://127.0.0.1:${port}/`, caBundle: Buffer.from(ca).toString('base64') };
  await gears.setVersions(['v1', 'v2'], {
    conversion: { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } },
  });
  return gears;
}

// In pages of one object, one is listed in v2, and the next one in v1.
const migrate = (gears: Gears) =>
  migrateStorage(server.client, gears.crd, { settleTime: 0, pageSize: 1 }, { clock: hasty });

const failureOf = async (gears: Gears): Promise<StorageMigrationError> => {
  const error: unknown = await migrate(gears).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(StorageMigrationError);
  return error as StorageMigrationError;
};

test('a webhook converts the objects, and is not needed any more when the old version is gone', async () => {
  const gears = await upgraded('converted', 'a', 'b');
  expect(await migrate(gears)).toMatchObject({ droppedVersions: ['v1'], rewritten: 2 });
  await gears.setVersions(['v2'], { conversion: { strategy: 'None', webhook: null } });
  isDown = true;
  const { items } = await server.client.list(gears.kind('v2'));
  expect(items.map(({ metadata, spec }) => [metadata.name, spec])).toEqual([
    ['a', { text: '1' }],
    ['b', { text: '1' }],
  ]);
});

test('the managers of fields that the webhook may move stay in their version', async () => {
  const gears = await upgraded('unmoved', 'a');
  await migrate(gears);
  const { metadata } = await server.client.getOrThrow(gears.kind('v2'), { name: 'a', namespace: 'default' });
  expect(metadata.managedFields?.map(({ apiVersion }) => apiVersion)).toEqual(['example.com/v1']);
});

test('an object that cannot be converted is named, the others are rewritten, and the old version stays', async () => {
  const gears = await upgraded('unlucky', 'a', 'b', 'c');
  const before = await gears.resourceVersions('v1');
  unlucky.add('b');
  const error = await failureOf(gears);
  expect(error.message).toContain(
    '1 object of unlucky.example.com could not be rewritten in v2: default/b: ',
  );
  expect(error.message).toContain('b is unlucky');
  expect(error.hint).toContain('v1 stays in status.storedVersions');
  expect(error.failures).toEqual([
    { name: 'b', namespace: 'default', message: expect.stringContaining('b is unlucky') },
  ]);
  expect(await gears.storedVersions()).toEqual(['v1', 'v2']);
  const after = await gears.resourceVersions('v1');
  expect(['a', 'b', 'c'].map((name) => after.get(name) === before.get(name))).toEqual([false, true, false]);

  // Only that one is left.
  unlucky.clear();
  expect(await migrate(gears)).toMatchObject({ rewritten: 1, droppedVersions: ['v1'] });
});

test('a webhook that is down makes the migration fail, and is not called for each object', async () => {
  const names = Array.from({ length: 30 }, (_, index) => `gear-${index}`);
  const gears = await upgraded('down', ...names);
  // The lists of v1 do not need the webhook, but every rewritten object does.
  isDown = true;
  const error = await failureOf(gears);
  expect(error.message).toContain('20 objects of down.example.com could not be rewritten in v2: default/');
  expect(error.message).toMatch(/; and 17 more$/);
  expect(await gears.storedVersions()).toEqual(['v1', 'v2']);
  isDown = false;
  await waitFor(async () => (await migrate(gears)).storageVersion === 'v2');
  expect(await gears.storedVersions()).toEqual(['v2']);
});
