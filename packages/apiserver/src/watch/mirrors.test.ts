import type { KubernetesObject } from 'ots-kubernetes';
import { expect, onTestFinished, test } from 'vitest';
import { ApiServer } from '../api-server.ts';
import { crds, ships } from '../../test/support/filled-cluster.ts';
import { configMaps } from '../../test/support/fixtures.ts';
import { Session } from '../../test/support/session.ts';

const resource = { group: '', version: 'v1', plural: 'configmaps' };

/** A server without controllers, a client, and what a mirror has shown, such as `ADDED one 7`. */
async function start() {
  const server = await ApiServer.start({ controllers: false });
  const session = new Session({ server: server.url });
  onTestFinished(async () => {
    session.close();
    await server.stop();
  });
  const shown: string[] = [];
  const open = () =>
    server.mirror(resource, {
      replaced: (objects, resourceVersion) =>
        shown.push(`${objects.map(nameIn).join(' ')} at ${resourceVersion}`),
      changed: (type, object) => shown.push(`${type} ${nameIn(object)} ${versionIn(object)}`),
      ended: () => shown.push('ended'),
    });
  return { server, session, shown, open };
}

function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  Object.freeze(value);
  for (const part of Object.values(value)) freeze(part);
}

const nameIn = ({ metadata }: KubernetesObject) => metadata.name;
const versionIn = ({ metadata }: KubernetesObject) => metadata.resourceVersion;

test('a mirror shows what there is, and each change with its version, until its reader ends it', async () => {
  const { session, shown, open } = await start();
  const one = await session.post(configMaps, { metadata: { name: 'one' } });
  const end = open()!;
  expect(shown).toEqual([`one at ${one.body.metadata.resourceVersion}`]);
  const two = await session.post(configMaps, { metadata: { name: 'two' } });
  const changed = await session.merge(`${configMaps}/two`, { data: { a: 'b' } });
  await session.delete(`${configMaps}/one`);
  const versions = [two, changed].map(({ body }) => Number(body.metadata.resourceVersion));
  expect(shown.slice(1)).toEqual([
    `ADDED two ${versions[0]}`,
    `MODIFIED two ${versions[1]}`,
    `DELETED one ${versions[1]! + 1}`,
  ]);
  end();
  await session.delete(`${configMaps}/two`);
  expect(shown).toHaveLength(4);
});

test('what a mirror shows never changes: the same apply again works while its reader has frozen the object', async () => {
  const { server, session } = await start();
  const reader = {
    replaced: () => {},
    changed: (_: string, object: object) => freeze(object),
    ended: () => {},
  };
  server.mirror({ ...resource, plural: 'services' }, reader);
  const apply = async () => {
    const body = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'web' },
      spec: { ports: [{ port: 80 }] },
    };
    const contentType = 'application/apply-patch+yaml';
    const path = '/api/v1/namespaces/default/services/web?fieldManager=test';
    const applied = await session.send('PATCH', path, { body, contentType });
    return [applied.code, applied.body.metadata?.resourceVersion];
  };
  const [created, version] = await apply();
  expect(created).toBe(201);
  expect(await apply()).toEqual([200, version]);
});

test('a mirror shows everything again after a restart and after the return to a snapshot, and then goes on', async () => {
  const { server, session, shown, open } = await start();
  const snapshot = server.snapshot();
  open();
  await session.post(configMaps, { metadata: { name: 'one' } });
  shown.length = 0;
  await server.restart();
  expect(shown).toEqual([expect.stringMatching(/^one at \d+$/)]);
  await server.restore(snapshot);
  expect(shown.slice(1)).toEqual([expect.stringMatching(/^ at \d+$/)]);
  // The restart has ended the connections.
  const later = new Session({ server: server.url });
  onTestFinished(() => later.close());
  await later.post(configMaps, { metadata: { name: 'two' } });
  expect(shown.slice(2)).toEqual([expect.stringMatching(/^ADDED two \d+$/)]);
});

test('a fault that changes lists or watches of the administrator ends mirrors, and prevents new ones while it is there', async () => {
  const { server, session, shown, open } = await start();
  open();
  shown.length = 0;
  const fault = (user: string, verb: string) =>
    server.faults.add(
      {
        selects: (request) =>
          request.user === user && request.verb === verb && request.resource === 'configmaps',
      },
      { watch: 'drop' },
    );
  fault('operator', 'watch');
  fault('admin', 'create');
  expect(shown).toEqual([]);
  const watch = fault('admin', 'watch');
  expect(shown).toEqual(['ended']);
  await session.post(configMaps, { metadata: { name: 'one' } });
  expect(shown).toEqual(['ended']);
  expect(open()).toBeUndefined();
  watch.remove();
  expect(open()).toBeDefined();
  fault('admin', 'list');
  expect(shown.slice(1)).toEqual([expect.stringMatching(/^one at/), 'ended']);
});

test('there are no mirrors of custom resources, whose definitions can change, and of resources that do not exist', async () => {
  const { server, session } = await start();
  const names = { plural: 'ships', kind: 'Ship' };
  const version = {
    name: 'v1',
    served: true,
    storage: true,
    schema: { openAPIV3Schema: { type: 'object' } },
  };
  const spec = { group: 'example.com', scope: 'Namespaced', names, versions: [version] };
  expect((await session.post(crds, { metadata: { name: 'ships.example.com' }, spec })).code).toBe(201);
  await expect.poll(async () => (await session.get(ships)).code).toBe(200);
  const reader = { replaced: () => {}, changed: () => {}, ended: () => {} };
  expect(server.mirror({ group: 'example.com', version: 'v1', plural: 'ships' }, reader)).toBeUndefined();
  expect(server.mirror({ group: '', version: 'v1', plural: 'boats' }, reader)).toBeUndefined();
});
