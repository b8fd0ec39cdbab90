import { cpSync, existsSync, readFileSync, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { crds, definition, everything, fill, ships } from '../test/support/filled-cluster.ts';
import { configMaps, until } from '../test/support/fixtures.ts';
import { ManualClock } from '../test/support/manual-clock.ts';
import { Session } from '../test/support/session.ts';
import { temporaryDirectory } from '../test/support/temporary-directory.ts';
import { Watcher } from '../test/support/watcher.ts';
import { ApiServer } from './api-server.ts';
import type { ApiServerOptions } from './api-server-options.ts';
import { machineDisk } from './storage/persistence/disk.ts';

const events = '/api/v1/namespaces/default/events';
const reviews = '/apis/authentication.k8s.io/v1/selfsubjectreviews';

async function start(options: ApiServerOptions): Promise<{ server: ApiServer; session: Session }> {
  const server = await ApiServer.start(options);
  const session = sessionOf(server.connection);
  onTestFinished(() => server.stop());
  return { server, session };
}

function sessionOf(connection: ConstructorParameters<typeof Session>[0]): Session {
  const session = new Session(connection);
  onTestFinished(() => session.close());
  return session;
}

/** Until the next call, the disk has space for a number of bytes. */
function fillDisk(): () => void {
  const write = vi.spyOn(machineDisk, 'write').mockImplementation(() => {
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  });
  onTestFinished(() => write.mockRestore());
  return () => write.mockRestore();
}

test('the next server on a directory has all that a client can list, and continues it', async () => {
  const data = temporaryDirectory();
  const first = await start({ data });
  await fill(first.session);
  const before = await everything(first.session);
  const { metadata } = (await first.session.get(ships)).body;
  await first.server.stop();
  const { session } = await start({ data, port: Number(new URL(first.server.url).port) });
  expect(await everything(session)).toStrictEqual(before);
  const watcher = await Watcher.start(
    session,
    `${ships}?watch=1&resourceVersion=${metadata.resourceVersion}`,
  );
  expect((await session.merge(`${ships}/ship`, { spec: { sails: 3 } })).code).toBe(200);
  expect(await watcher.until(1)).toMatchObject([{ type: 'MODIFIED', object: { spec: { sails: 3 } } }]);
  const old = await Watcher.start(session, `${ships}?watch=1&resourceVersion=1`);
  await old.ended;
  expect(old.events).toMatchObject([{ type: 'ERROR', object: { code: 410 } }]);
  expect((await session.post(configMaps, { metadata: { name: 'third' } })).code).toBe(201);
  expect((await session.post(configMaps, { metadata: { name: 'fourth' } })).code).toBe(403);
  await session.delete(`${configMaps}/owner`);
  await until(async () => (await session.get(`${configMaps}/owned`)).code === 404);
  await session.delete(`${crds}/ships.example.com`);
  await session.merge(`${ships}/ship`, { metadata: { finalizers: null } });
  await until(async () => (await session.get(ships)).code === 404);
});

test('tokens, kubeconfigs and the certificate of the server stay valid', async () => {
  const data = temporaryDirectory();
  const first = await start({ data, tls: true });
  await first.session.post('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'robot' } });
  const path = '/api/v1/namespaces/default/serviceaccounts/robot/token';
  const { token } = (await first.session.post(path, { spec: {} })).body.status;
  const keys = () => readdirSync(data).filter((name) => name.endsWith('.pem'));
  expect(keys()).toStrictEqual(['client-authority.pem', 'service-accounts.pem', 'serving.pem']);
  const files = keys().map((name) => readFileSync(join(data, name)));
  await first.server.stop();
  const { server } = await start({ data, tls: true, port: Number(new URL(first.server.url).port) });
  expect(keys().map((name) => readFileSync(join(data, name)))).toStrictEqual(files);
  expect(server.connection.caData).toBe(first.server.connection.caData);
  const userOf = async (session: Session) =>
    (await session.post(reviews, {})).body.status.userInfo.username as string;
  expect(await userOf(sessionOf(first.server.connection))).toBe('admin');
  const { certData: _, keyData: __, ...address } = first.server.connection;
  expect(await userOf(sessionOf({ ...address, token }))).toBe('system:serviceaccount:default:robot');
});

test('a certificate for other names is replaced', async () => {
  const data = temporaryDirectory();
  const first = await start({ data, tls: true });
  const certificate = first.server.connection.caData;
  await first.server.stop();
  const { server, session } = await start({ data, tls: true, host: '127.0.0.2' });
  expect(server.connection.caData).not.toBe(certificate);
  expect((await session.get(configMaps)).code).toBe(200);
});

test('the Service of the server has its new address, and is the same object', async () => {
  const data = temporaryDirectory();
  const path = '/api/v1/namespaces/default/endpoints/kubernetes';
  const first = await start({ data });
  const { metadata } = (await first.session.get(path)).body;
  await first.server.stop();
  const { server, session } = await start({ data });
  const { body } = await session.get(path);
  expect(body.metadata.uid).toBe(metadata.uid);
  expect(body.subsets[0].ports[0].port).toBe(Number(new URL(server.url).port));
});

test('a restore and a restart of the running server are kept, too', async () => {
  const data = temporaryDirectory();
  const { server, session } = await start({ data });
  await session.post(configMaps, { metadata: { name: 'kept' } });
  const snapshot = server.snapshot();
  await session.post(configMaps, { metadata: { name: 'lost' } });
  await server.restore(snapshot);
  await session.post(configMaps, { metadata: { name: 'second' } });
  await server.restart();
  const again = sessionOf(server.connection);
  await again.post(configMaps, { metadata: { name: 'third' } });
  const before = server.snapshot();
  await server.stop();
  const next = await start({ data, port: Number(new URL(server.url).port) });
  expect(next.server.snapshot()).toStrictEqual(before);
  const { items } = (await next.session.get(configMaps)).body;
  expect(items.map(({ metadata }: any) => metadata.name)).toStrictEqual(['kept', 'second', 'third']);
});

test('clients see that a full disk refuses their writes, and can write when there is space', async () => {
  const data = temporaryDirectory();
  const { server, session } = await start({ data });
  await session.post(configMaps, { metadata: { name: 'a' } });
  const before = server.snapshot();
  const watcher = await Watcher.start(session, `${configMaps}?watch=1&resourceVersion=${before.revision}`);
  const empty = fillDisk();
  const message =
    'Internal error occurred: the change cannot be stored: ENOSPC: no space left on device, write';
  const refused = [
    await session.post(configMaps, { metadata: { name: 'b' } }),
    await session.merge(`${configMaps}/a`, { data: { a: 'b' } }),
    await session.delete(`${configMaps}/a`),
    await session.post('/api/v1/namespaces', { metadata: { name: 'later' } }),
  ];
  for (const { code, body } of refused) {
    expect(code).toBe(500);
    expect(body).toMatchObject({ kind: 'Status', status: 'Failure', reason: 'InternalError', message });
  }
  await expect(server.restore(before)).rejects.toMatchObject({ code: 'DATA_DIRECTORY' });
  expect((await session.get(configMaps)).body.items).toHaveLength(1);
  empty();
  await watcher.ended;
  expect(watcher.events).toMatchObject([{ type: 'ERROR' }]);
  expect(server.snapshot()).toStrictEqual(before);
  expect((await session.post(configMaps, { metadata: { name: 'c' } })).code).toBe(201);
  const after = server.snapshot();
  await server.stop();
  const next = await start({ data, port: Number(new URL(server.url).port) });
  expect(next.server.snapshot()).toStrictEqual(after);
});

test('Events expire after a restart, and when the disk was full at that time', async () => {
  const data = temporaryDirectory();
  const first = await start({ data, clock: new ManualClock() });
  const involvedObject = { kind: 'Pod', name: 'p', namespace: 'default' };
  await first.session.post(events, { metadata: { name: 'e' }, involvedObject, type: 'Normal', reason: 'R' });
  await first.server.stop();
  const clock = new ManualClock();
  const { session } = await start({ data, clock });
  clock.advance(3_599_999);
  expect((await session.get(`${events}/e`)).code).toBe(200);
  const empty = fillDisk();
  clock.advance(1);
  expect((await session.get(`${events}/e`)).code).toBe(200);
  empty();
  clock.advance(1000);
  expect((await session.get(`${events}/e`)).code).toBe(404);
});

test('a definition is established and removed although the disk was full meanwhile', async () => {
  const data = temporaryDirectory();
  const clock = new ManualClock();
  const { session } = await start({ data, clock });
  const path = `${crds}/ships.example.com`;
  const write = machineDisk.write.bind(machineDisk);
  /** The disk takes some more changes of the definition and its objects, then it is full until the end of the action. */
  const withSpaceFor = async (changes: number, act: () => Promise<unknown>) => {
    let left = changes;
    const spy = vi.spyOn(machineDisk, 'write').mockImplementation((file, bytes, position) => {
      if (Buffer.from(bytes).includes('ships.example.com')) left -= 1;
      if (left < 0) throw new Error('ENOSPC');
      return write(file, bytes, position);
    });
    try {
      await act();
    } finally {
      spy.mockRestore();
    }
  };
  await withSpaceFor(1, async () => expect((await session.post(crds, definition())).code).toBe(201));
  expect((await session.get(path)).body.status.conditions).toBeNull();
  const copy = temporaryDirectory();
  cpSync(data, copy, { recursive: true, filter: (file) => !file.includes('lock-') });
  clock.advance(1000);
  expect((await session.get(path)).body.status.conditions).toMatchObject([
    { type: 'NamesAccepted', status: 'True' },
    { type: 'Established', status: 'True' },
  ]);
  // The same after the process ended in between.
  const next = await start({ data: copy });
  expect((await next.session.get(path)).body.status).toMatchObject({
    acceptedNames: { plural: 'ships' },
    conditions: [{ type: 'NamesAccepted' }, { type: 'Established', status: 'True' }],
  });
  expect((await next.session.get(ships)).code).toBe(200);
  for (const name of ['a', 'b'])
    await session.post(ships, { apiVersion: 'example.com/v1', kind: 'Ship', metadata: { name } });
  // The deletion, the condition, and one of the objects.
  await withSpaceFor(3, async () => expect((await session.delete(path)).code).toBe(200));
  expect((await session.get(ships)).body.items).toHaveLength(1);
  clock.advance(1000);
  expect((await session.get(path)).code).toBe(404);
  expect((await session.get(ships)).code).toBe(404);
});

test('objects of a definition that went without them do not come back', async () => {
  const data = temporaryDirectory();
  const first = await start({ data });
  const path = `${crds}/ships.example.com`;
  await first.session.post(crds, definition());
  const finalizers = ['example.com/keep'];
  const ship = { apiVersion: 'example.com/v1', kind: 'Ship', metadata: { name: 'a', finalizers } };
  expect((await first.session.post(ships, ship)).code).toBe(201);
  await first.session.delete(path);
  await first.session.merge(path, { metadata: { finalizers: null } });
  expect((await first.session.get(path)).code).toBe(404);
  await first.session.post(crds, definition());
  expect((await first.session.get(ships)).body.items).toStrictEqual([]);
  await first.server.stop();
  const { session } = await start({ data });
  expect((await session.get(ships)).body.items).toStrictEqual([]);
});

test('one directory, one server', async () => {
  const data = temporaryDirectory();
  const { server } = await start({ data });
  await expect(ApiServer.start({ data })).rejects.toMatchObject({ name: 'DataError', code: 'DATA_IN_USE' });
  const { port } = new URL(server.url);
  const other = temporaryDirectory();
  await expect(ApiServer.start({ data: other, port: Number(port) })).rejects.toMatchObject({
    code: 'EADDRINUSE',
  });
  await start({ data: other });
});

test('a torn last change is dropped with one line; a damaged key is refused', async () => {
  const data = temporaryDirectory();
  const first = await start({ data });
  await first.session.post(configMaps, { metadata: { name: 'a' } });
  const before = first.server.snapshot();
  await first.session.post(configMaps, { metadata: { name: 'b' } });
  await first.server.stop();
  const log = join(
    data,
    readdirSync(data).find((name) => name.startsWith('log-'))!,
  );
  const at = readFileSync(log).lastIndexOf('\n', -2) + 1;
  truncateSync(log, at + 40);
  const warnings: string[] = [];
  const port = Number(new URL(first.server.url).port);
  const next = await start({ data, port, onWarning: (message) => warnings.push(message) });
  expect(warnings).toStrictEqual([
    `${log} ends at byte ${at} within a change that was not acknowledged; the change is dropped`,
  ]);
  expect(next.server.snapshot()).toStrictEqual(before);
  await next.server.stop();
  expect(existsSync(log)).toBe(false);
  const key = join(data, 'service-accounts.pem');
  writeFileSync(key, readFileSync(key, 'utf8').slice(0, 60));
  await expect(ApiServer.start({ data })).rejects.toMatchObject({ code: 'DATA_DAMAGED' });
});
