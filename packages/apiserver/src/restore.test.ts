import { expect, onTestFinished, test } from 'vitest';
import { ApiServer } from './api-server.ts';
import type { ApiServerOptions } from './api-server-options.ts';
import { crds, everything, fill, ships } from '../test/support/filled-cluster.ts';
import { configMaps, until } from '../test/support/fixtures.ts';
import { Session } from '../test/support/session.ts';
import { Watcher } from '../test/support/watcher.ts';

const services = '/api/v1/namespaces/default/services';

async function start(options: ApiServerOptions = {}): Promise<{ server: ApiServer; session: Session }> {
  const server = await ApiServer.start(options);
  const session = new Session({ server: server.url });
  onTestFinished(async () => {
    session.close();
    await server.stop();
  });
  return { server, session };
}

test('a restore brings back all that a client can list', async () => {
  const { server, session } = await start();
  await fill(session);
  const before = await everything(session);
  const snapshot = server.snapshot();
  await session.delete(`${configMaps}/owner`);
  await until(async () => (await session.get(`${configMaps}/owned`)).code === 404);
  await session.delete(`${services}/web`);
  await session.delete(`${crds}/ships.example.com`);
  await session.merge(`${ships}/ship`, { metadata: { finalizers: null } });
  await until(async () => (await session.get(ships)).code === 404);
  await session.post('/api/v1/namespaces', { metadata: { name: 'later' } });
  await server.restore(snapshot);
  expect(await everything(session)).toStrictEqual(before);
});

test('after a restore the server decides as at the snapshot', async () => {
  const { server, session } = await start();
  await fill(session);
  const snapshot = server.snapshot();
  await session.delete(`${services}/web`);
  await session.delete(`${configMaps}/owner`);
  await until(async () => (await session.get(`${configMaps}/owned`)).code === 404);
  await server.restore(snapshot);
  const clash = (spec: object) =>
    session.post(services, { metadata: { name: 'other' }, spec: { type: 'NodePort', ...spec } });
  expect((await clash({ clusterIP: '10.0.0.42', ports: [{ port: 80 }] })).code).toBe(422);
  expect((await clash({ ports: [{ port: 80, nodePort: 30_042 }] })).code).toBe(422);
  expect((await session.post(configMaps, { metadata: { name: 'third' } })).code).toBe(201);
  expect((await session.post(configMaps, { metadata: { name: 'fourth' } })).code).toBe(403);
  await session.delete(`${configMaps}/owner`);
  await until(async () => (await session.get(`${configMaps}/owned`)).code === 404);
  await session.delete(`${crds}/ships.example.com`);
  expect((await session.get(`${ships}/ship`)).body.metadata.deletionTimestamp).toBeDefined();
  await session.merge(`${ships}/ship`, { metadata: { finalizers: null } });
  await until(async () => (await session.get(ships)).code === 404);
});

test('a restore ends watches with what has happened and 410, and versions never go back', async () => {
  const { server, session } = await start();
  const snapshot = server.snapshot();
  const { metadata } = (await session.get(configMaps)).body;
  const from = (version: string) => `${configMaps}?watch=1&resourceVersion=${version}`;
  const watcher = await Watcher.start(session, from(metadata.resourceVersion));
  const last = (await session.post(configMaps, { metadata: { name: 'lost' } })).body.metadata.resourceVersion;
  await server.restore(snapshot);
  await watcher.ended;
  expect(watcher.events).toMatchObject([
    { type: 'ADDED', object: { metadata: { name: 'lost' } } },
    { type: 'ERROR', object: { code: 410, reason: 'Expired', details: { retryAfterSeconds: 0 } } },
  ]);
  const list = (await session.get(`${configMaps}?resourceVersion=${last}&resourceVersionMatch=NotOlderThan`))
    .body;
  expect(list.items).toStrictEqual([]);
  expect(Number(list.metadata.resourceVersion)).toBeGreaterThan(Number(last));
  const resumed = await Watcher.start(session, from(last));
  await resumed.ended;
  expect(resumed.events).toMatchObject([{ type: 'ERROR', object: { code: 410 } }]);
  const current = await Watcher.start(session, from(list.metadata.resourceVersion));
  await session.post(configMaps, { metadata: { name: 'new' } });
  await until(async () => current.events.length === 1);
});

test('a restart keeps the address, the objects, the credentials and the resource version', async () => {
  const { server, session } = await start();
  await fill(session);
  await session.post('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'robot' } });
  const { body } = await session.post('/api/v1/namespaces/default/serviceaccounts/robot/token', { spec: {} });
  const before = await everything(session);
  const { metadata } = (await session.get(configMaps)).body;
  const path = `${configMaps}?watch=1&resourceVersion=${metadata.resourceVersion}`;
  const watcher = await Watcher.start(session, path);
  await server.restart();
  await watcher.ended;
  expect(watcher.events).toStrictEqual([]);
  const again = new Session({ server: server.url });
  onTestFinished(() => again.close());
  expect(await everything(again)).toStrictEqual(before);
  const resumed = await Watcher.start(again, path);
  await again.post(configMaps, { metadata: { name: 'new' } });
  await until(async () => resumed.events.length === 1);
  const robot = new Session({ server: server.url, token: body.status.token });
  onTestFinished(() => robot.close());
  const review = await robot.post('/apis/authentication.k8s.io/v1/selfsubjectreviews', {});
  expect(review.body.status.userInfo.username).toBe('system:serviceaccount:default:robot');
});

test('a server starts with the objects of another one, which goes on without it', async () => {
  const first = await start();
  await fill(first.session);
  const snapshot = first.server.snapshot();
  const second = await start({ snapshot });
  expect((await second.session.get(ships)).body.items).toStrictEqual(
    (await first.session.get(ships)).body.items,
  );
  const { body } = await second.session.post(configMaps, { metadata: { name: 'third' } });
  expect(Number(body.metadata.resourceVersion)).toBeGreaterThan(snapshot.revision);
  expect((await first.session.get(`${configMaps}/third`)).code).toBe(404);
  await second.session.delete(`${configMaps}/owner`);
  await until(async () => (await second.session.get(`${configMaps}/owned`)).code === 404);
  expect((await first.session.get(`${configMaps}/owned`)).code).toBe(200);
});

test('a stopped server does not restart', async () => {
  const { server } = await start();
  await server.stop();
  await expect(server.restart()).rejects.toThrow('the server is stopped');
});
