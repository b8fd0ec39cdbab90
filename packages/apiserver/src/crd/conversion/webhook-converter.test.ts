import { afterEach, expect, test } from 'vitest';
import { ApiServer } from '../../api-server.ts';
import { ConversionWebhook } from '../../../test/support/conversion-webhook.ts';
import { configMaps as configMapsPath, installCrd, pathOf, until } from '../../../test/support/fixtures.ts';
import { Session } from '../../../test/support/session.ts';
import { convertEndpoint, endpoint, endpointCrd } from '../../../test/support/versioned-endpoint.ts';
import { Watcher } from '../../../test/support/watcher.ts';

const running: AsyncDisposable[] = [];
afterEach(async () => {
  for (const part of running.splice(0)) await part[Symbol.asyncDispose]();
});

async function start(): Promise<{ session: Session; webhook: ConversionWebhook; server: ApiServer }> {
  const server = await ApiServer.start();
  const webhook = await ConversionWebhook.start(convertEndpoint);
  const session = new Session({ server: server.url });
  running.push(server, { [Symbol.asyncDispose]: () => webhook.close() });
  await installCrd(session, endpointCrd('Endpoint', webhook));
  return { session, webhook, server };
}

const fail = (_: unknown, response: { writeHead(code: number): { end(): void } }) => {
  response.writeHead(500).end();
};

test('what a failing webhook converts waits for it: a namespace that ends, and garbage collection', async () => {
  const { session, webhook } = await start();
  await session.post('/api/v1/namespaces', { metadata: { name: 'ending' } });
  const inside = pathOf('Endpoint', 'v2').replace('/default/', '/ending/');
  await session.post(inside, endpoint('Endpoint', 'v2', 'one', { host: 'a' }));
  const stored = pathOf('Endpoint', 'v2');
  for (const [name, owner] of Object.entries({ owned: 'owner', orphan: 'other' })) {
    const { uid } = (await session.post(configMapsPath, { metadata: { name: owner } })).body.metadata;
    const object = endpoint('Endpoint', 'v2', name, { host: 'a' });
    object.metadata.ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: owner, uid }];
    await session.post(stored, object);
  }
  webhook.take();
  webhook.answer = fail;
  await session.delete('/api/v1/namespaces/ending');
  await session.delete(`${configMapsPath}/owner`);
  await session.delete(`${configMapsPath}/other?propagationPolicy=Orphan`);
  const failures = async (): Promise<string> => {
    const { status } = (await session.get('/api/v1/namespaces/ending')).body;
    return JSON.stringify(status.conditions ?? []);
  };
  await until(async () => (await failures()).includes('conversion webhook'));
  // Every one of them has asked, in vain.
  await until(async () => webhook.take().length > 0);
  expect((await session.get(`${stored}/owned`)).code).toBe(200);

  webhook.answer = undefined;
  await until(async () => (await session.get('/api/v1/namespaces/ending')).code === 404);
  await until(async () => (await session.get(`${stored}/owned`)).code === 404);
  await until(async () => {
    const { metadata } = (await session.get(`${stored}/orphan`)).body;
    return metadata.ownerReferences === undefined;
  });
  expect((await session.get(`${configMapsPath}/other`)).code).toBe(404);
});

test('a Service that is mapped to an address of this machine converts', async () => {
  const { session, webhook, server } = await start();
  const crd = endpointCrd('Mapped', webhook);
  const { clientConfig } = crd.spec.conversion.webhook;
  const ca = Buffer.from(clientConfig.caBundle, 'base64').toString('utf8');
  crd.spec.conversion.webhook.clientConfig = {
    service: { namespace: 'system', name: 'hooks', path: '/convert' },
  };
  await installCrd(session, crd);
  await session.post(pathOf('Mapped', 'v2'), endpoint('Mapped', 'v2', 'one', { host: 'a' }));
  const read = () => session.get(`${pathOf('Mapped')}/one`);
  expect((await read()).body.message).toContain('service "hooks" not found');
  server.services.set('system/hooks', { url: new URL(webhook.url).origin, ca });
  expect((await read()).body.spec).toStrictEqual({ host: 'a', note: 'second' });
});

test('a watch of the storage version sees what was written in another version', async () => {
  const { session } = await start();
  const stored = await Watcher.start(session, `${pathOf('Endpoint', 'v2')}?watch=1`);
  const { body } = await session.post(pathOf('Endpoint'), endpoint('Endpoint', 'v1', 'one', { host: 'a' }));
  expect(body.metadata.name).toBe('one');
  await stored.until(1);
  expect(stored.events).toMatchObject([{ type: 'ADDED', object: { metadata: { name: 'one' } } }]);
  stored.stop();
});

test('many watchers of one version share one conversion per state, in order, while conversions are slow', async () => {
  const { session, webhook } = await start();
  const path = pathOf('Endpoint');
  const watchers = await Promise.all(
    Array.from({ length: 5 }, () => Watcher.start(session, `${path}?watch=1`)),
  );
  const waiting: (() => void)[] = [];
  webhook.answer = async (review) => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    return webhook.converted(review);
  };
  for (let index = 0; index < 20; index += 1)
    await session.post(pathOf('Endpoint', 'v2'), endpoint('Endpoint', 'v2', `o${index}`, { host: 'a' }));
  const names = Array.from({ length: 20 }, (_, index) => `ADDED o${index}`);
  for (let index = 0; index < 20; index += 1) {
    await until(async () => waiting.length > 0);
    expect(waiting).toHaveLength(1);
    waiting.shift()?.();
    await Promise.all(watchers.map((watcher) => watcher.until(index + 1)));
  }
  for (const watcher of watchers) {
    expect(watcher.summary()).toStrictEqual(names);
    watcher.stop();
  }
});

test('writers that wait for a webhook do not overwrite each other', async () => {
  const { session } = await start();
  const path = pathOf('Endpoint');
  await session.post(path, endpoint('Endpoint', 'v1', 'one', { host: 'a', port: '1' }));
  const answers = await Promise.all([
    session.merge(`${path}/one`, { spec: { host: 'b' } }),
    session.merge(`${path}/one`, { spec: { port: '2' } }),
    session.merge(`${pathOf('Endpoint', 'v3')}/one`, { spec: { note: 'x' } }),
  ]);
  expect(answers.map(({ code }) => code)).toStrictEqual([200, 200, 200]);
  expect((await session.get(`${path}/one`)).body.spec).toStrictEqual({ host: 'b', port: '2', note: 'x' });
});
