import { connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { ApiServer } from './api-server.ts';
import type { ApiServerOptions } from './api-server-options.ts';
import { configMaps, crdOf, crdsPath, objectOf, pathOf } from '../test/support/fixtures.ts';
import { Session } from '../test/support/session.ts';
import { Watcher } from '../test/support/watcher.ts';

// What only the embedded server does. What both servers do is in test/conformance/.

const running: { server: ApiServer; session: Session }[] = [];
afterEach(async () => {
  for (const { server, session } of running.splice(0)) {
    session.close();
    await server.stop();
  }
});

async function start(options: ApiServerOptions = {}): Promise<Session> {
  const server = await ApiServer.start(options);
  const session = new Session({ server: server.url });
  running.push({ server, session });
  return session;
}

async function createMany(session: Session, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1)
    await session.post(configMaps, { metadata: { name: `o${index}` } });
}

test('a watch from before the history gets 410', async () => {
  const session = await start({ watchHistory: 2 });
  const { metadata } = (await session.get(configMaps)).body;
  await createMany(session, 6);
  const watcher = await Watcher.start(
    session,
    `${configMaps}?watch=1&resourceVersion=${metadata.resourceVersion}`,
  );
  await watcher.ended;
  expect(watcher.events).toMatchObject([
    {
      type: 'ERROR',
      object: {
        kind: 'Status',
        code: 410,
        reason: 'Expired',
        message: expect.stringMatching(/^too old resource version: \d+ \(\d+\)$/),
      },
    },
  ]);
});

test('a list from before the history gets 410 and a token to continue inconsistently', async () => {
  const session = await start({ watchHistory: 2 });
  await createMany(session, 3);
  const { metadata } = (await session.get(`${configMaps}?limit=1`)).body;
  for (let round = 0; round < 6; round += 1)
    await session.merge(`${configMaps}/o0`, { data: { round: `${round}` } });
  await session.delete(`${configMaps}/o1`);
  const expired = await session.get(
    `${configMaps}?limit=1&continue=${encodeURIComponent(metadata.continue)}`,
  );
  expect(expired.body).toMatchObject({ code: 410, reason: 'Expired' });
  const rest = await session.get(
    `${configMaps}?continue=${encodeURIComponent(expired.body.metadata.continue)}`,
  );
  expect(rest.body.items.map((item: any) => item.metadata.name)).toStrictEqual(['o2']);
  const exact = `resourceVersion=${metadata.resourceVersion}&resourceVersionMatch=Exact`;
  expect((await session.get(`${configMaps}?${exact}`)).body).toMatchObject({
    code: 410,
    message: 'The resourceVersion for the provided list is too old.',
  });
});

test('bookmarks arrive periodically, and at the end', async () => {
  const session = await start({ bookmarkInterval: 5 });
  const version = (await session.get(configMaps)).body.metadata.resourceVersion;
  const query = `watch=1&allowWatchBookmarks=true&resourceVersion=${version}`;
  const watcher = await Watcher.start(session, `${configMaps}?${query}&timeoutSeconds=1`);
  await watcher.until(2);
  await session.post('/api/v1/namespaces', { metadata: { name: 'elsewhere' } });
  await watcher.ended;
  const last = watcher.events.at(-1);
  expect(watcher.events[0]).toStrictEqual({
    type: 'BOOKMARK',
    object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { resourceVersion: version } },
  });
  expect(last.type).toBe('BOOKMARK');
  expect(Number(last.object.metadata.resourceVersion)).toBeGreaterThan(Number(version));
});

test('a namespace is deleted with its content', async () => {
  const session = await start();
  await session.post(crdsPath, crdOf('Thing', {}));
  await session.post('/api/v1/namespaces', { metadata: { name: 'ending' } });
  const configMapsInside = configMaps.replace('/default/', '/ending/');
  const thingsInside = pathOf('Thing').replace('/default/', '/ending/');
  await session.post(configMapsInside, { metadata: { name: 'a' } });
  await session.post(thingsInside, objectOf('Thing', 'b', {}));
  await session.delete('/api/v1/namespaces/ending');
  expect((await session.get('/api/v1/namespaces/ending')).code).toBe(404);
  expect((await session.get(configMapsInside)).body.items).toStrictEqual([]);
  expect((await session.get(thingsInside)).body.items).toStrictEqual([]);
});

test('a namespace waits for the finalizers of its content, and accepts no new objects', async () => {
  const session = await start();
  const inside = configMaps.replace('/default/', '/ending/');
  await session.post('/api/v1/namespaces', { metadata: { name: 'ending' } });
  await session.post(inside, { metadata: { name: 'held', finalizers: ['example.com/hold'] } });
  await session.delete('/api/v1/namespaces/ending');
  expect((await session.get('/api/v1/namespaces/ending')).body.status.phase).toBe('Terminating');
  expect((await session.post(inside, { metadata: { name: 'late' } })).body).toMatchObject({
    code: 403,
    reason: 'Forbidden',
    details: { causes: [{ reason: 'NamespaceTerminating' }] },
  });
  await session.merge(`${inside}/held`, { metadata: { finalizers: [] } });
  expect((await session.get('/api/v1/namespaces/ending')).code).toBe(404);
});

test('clients that disconnect leave nothing behind', async () => {
  const session = await start();
  const { url } = running[0]?.server ?? { url: '' };
  const watchers = await Promise.all(
    Array.from({ length: 10 }, () => Watcher.start(session, `${configMaps}?watch=1`)),
  );
  for (const watcher of watchers) watcher.stop();
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(
    `POST ${configMaps} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"meta`,
  );
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.destroy();
  await Promise.all(watchers.map(({ ended }) => ended));
  await createMany(session, 3);
  expect((await session.get(configMaps)).body.items).toHaveLength(3);
});

test('stop ends watches and requests', async () => {
  const server = await ApiServer.start();
  const session = new Session({ server: server.url });
  const watcher = await Watcher.start(session, `${configMaps}?watch=1`);
  await server.stop();
  await watcher.ended;
  await expect(session.get('/readyz')).rejects.toThrow('ECONNREFUSED');
});

test('a port that is in use is an error', async () => {
  const first = await ApiServer.start();
  const port = Number(new URL(first.url).port);
  await expect(ApiServer.start({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  await first.stop();
});
