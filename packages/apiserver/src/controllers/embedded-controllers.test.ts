import { afterEach, expect, test } from 'vitest';
import { ApiServer } from '../api-server.ts';
import type { ApiServerOptions } from '../api-server-options.ts';
import { configMaps, until } from '../../test/support/fixtures.ts';
import { Session } from '../../test/support/session.ts';

/** Features of the embedded server only: switches and limits. */
const running: { server: ApiServer; session: Session }[] = [];
afterEach(async () => {
  for (const { server, session } of running.splice(0)) {
    session.close();
    await server.stop();
  }
});

async function start(options: ApiServerOptions): Promise<Session> {
  const server = await ApiServer.start(options);
  const session = new Session(server.connection);
  running.push({ server, session });
  return session;
}

async function createOwned(session: Session, count: number): Promise<void> {
  const { body } = await session.post(configMaps, { metadata: { name: 'owner' } });
  const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: body.metadata.uid }];
  for (let created = 0; created < count; created += 50) {
    const names = Array.from({ length: Math.min(50, count - created) }, (_, index) => `o${created + index}`);
    await Promise.all(names.map((name) => session.post(configMaps, { metadata: { name, ownerReferences } })));
  }
}

test('thousands of dependents are deleted while the server keeps answering', async () => {
  const session = await start({});
  await createOwned(session, 3000);
  await session.delete(`${configMaps}/owner`);
  const left = async () => (await session.get(`${configMaps}?limit=1`)).body.items.length;
  expect((await session.get('/readyz')).code).toBe(200);
  await until(async () => (await left()) === 0);
});

test('thousands of dependents are orphaned', async () => {
  const session = await start({});
  await createOwned(session, 1000);
  await session.delete(`${configMaps}/owner?propagationPolicy=Orphan`);
  await until(async () => (await session.get(`${configMaps}/owner`)).code === 404);
  const { items } = (await session.get(configMaps)).body;
  expect(items).toHaveLength(1000);
  expect(items.filter(({ metadata }: any) => metadata.ownerReferences)).toStrictEqual([]);
});

test('without controllers no object is deleted or created', async () => {
  const session = await start({ controllers: false });
  await createOwned(session, 1);
  await session.delete(`${configMaps}/owner`);
  await session.post('/api/v1/namespaces', { metadata: { name: 'stays' } });
  await session.delete('/api/v1/namespaces/stays');
  expect((await session.get(configMaps)).body.items).toHaveLength(1);
  expect((await session.get('/api/v1/namespaces/stays')).body.status).toStrictEqual({ phase: 'Terminating' });
  expect((await session.get('/api/v1/serviceaccounts')).body.items).toStrictEqual([]);
});

test('one controller can be left out', async () => {
  const session = await start({ controllers: { garbageCollector: false } });
  await createOwned(session, 1);
  await session.delete(`${configMaps}/owner`);
  await session.post('/api/v1/namespaces', { metadata: { name: 'goes' } });
  await session.delete('/api/v1/namespaces/goes');
  await until(async () => (await session.get('/api/v1/namespaces/goes')).code === 404);
  expect((await session.get(configMaps)).body.items).toHaveLength(1);
});

test('by default namespaces are empty', async () => {
  const session = await start({});
  await session.post('/api/v1/namespaces', { metadata: { name: 'empty' } });
  expect((await session.get(configMaps.replace('default', 'empty'))).body.items).toStrictEqual([]);
});
