import { afterEach, beforeEach, expect, test } from 'vitest';
import { VirtualClock } from '../../../runtime/test/virtual-clock.ts';
import { configMaps, until } from '../../test/support/fixtures.ts';
import { Session } from '../../test/support/session.ts';
import { Watcher } from '../../test/support/watcher.ts';
import { WebhookServer } from '../../test/support/webhook-server.ts';
import { ApiServer } from '../api-server.ts';

const webhookConfigurations = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
const hour = 3_600_000;

let clock: VirtualClock;
let server: ApiServer;
let session: Session;

beforeEach(async () => {
  clock = new VirtualClock();
  server = await ApiServer.start({ clock });
  session = new Session(server.connection);
});

afterEach(async () => {
  session.close();
  await server.stop();
});

const webhook = (name: string, clientConfig: object, operation: string) => ({
  metadata: { name },
  webhooks: [
    {
      name: `${name}.example.com`,
      clientConfig,
      rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: [operation], resources: ['configmaps'] }],
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
    },
  ],
});

test('objects have the times of the clock', async () => {
  await clock.advance(hour);
  const { body } = await session.post(configMaps, { metadata: { name: 'a' } });
  expect(body.metadata.creationTimestamp).toBe(new Date(clock.epoch()).toISOString().replace('.000Z', 'Z'));
});

test('a watch sends a bookmark every minute and ends after its timeout', async () => {
  const path = `${configMaps}?watch=true&allowWatchBookmarks=true&timeoutSeconds=150&resourceVersion=1`;
  const watcher = await Watcher.start(session, path);
  await until(() => Promise.resolve(clock.delays.length === 3));
  expect(clock.delays).toStrictEqual([60_000, 148_000, 150_000]);
  await clock.advance(59_999);
  await session.post(configMaps, { metadata: { name: 'a' } });
  await watcher.until(1);
  await clock.advance(1);
  await watcher.until(2);
  await clock.advance(88_000);
  await watcher.until(4);
  expect(watcher.events.map(({ type }) => type)).toStrictEqual(['ADDED', 'BOOKMARK', 'BOOKMARK', 'BOOKMARK']);
  await clock.advance(2000);
  await watcher.ended;
});

test('a list of the future waits three seconds', async () => {
  const answer = session.get(`${configMaps}?resourceVersion=1000000`);
  await until(() => Promise.resolve(clock.delays.length === 1));
  await clock.advance(3000);
  expect((await answer).body.reason).toBe('Timeout');
});

test('the garbage collector tries again after a delay', async () => {
  const owner = await session.post('/api/v1/namespaces/default/secrets', { metadata: { name: 'owner' } });
  const ownerReferences = [{ apiVersion: 'v1', kind: 'Secret', name: 'owner', uid: owner.body.metadata.uid }];
  await session.post(configMaps, { metadata: { name: 'owned', ownerReferences } });
  await session.post(webhookConfigurations, webhook('closed', { url: 'https://127.0.0.1:1/' }, 'DELETE'));
  await session.delete('/api/v1/namespaces/default/secrets/owner');
  await until(() => Promise.resolve(clock.delays.length === 1));
  expect(clock.delays).toStrictEqual([5]);
  await session.delete(`${webhookConfigurations}/closed`);
  expect((await session.get(`${configMaps}/owned`)).code).toBe(200);
  await clock.advance(5);
  await until(async () => (await session.get(`${configMaps}/owned`)).code === 404);
});

test('a server that stops leaves no timer', async () => {
  const involvedObject = { kind: 'Pod', name: 'p', namespace: 'default' };
  const event = { metadata: { name: 'e' }, involvedObject, type: 'Normal', reason: 'R' };
  await session.post('/api/v1/namespaces/default/events', event);
  await Watcher.start(session, `${configMaps}?watch=true&allowWatchBookmarks=true&timeoutSeconds=150`);
  const waiting = session.get(`${configMaps}?resourceVersion=1000000`);
  await until(() => Promise.resolve(clock.delays.length === 5));
  expect(clock.delays).toStrictEqual([3000, 60_000, 148_000, 150_000, hour]);
  await server.stop();
  expect(clock.delays).toStrictEqual([]);
  await expect(waiting).rejects.toThrow('socket hang up');
});

test('a webhook responds in real time', async () => {
  const webhooks = await WebhookServer.start();
  let allow = () => {};
  webhooks.handle('/slow', () => new Promise((resolve) => (allow = () => resolve({}))));
  await session.post(webhookConfigurations, webhook('slow', webhooks.clientConfig('/slow'), 'CREATE'));
  const answer = session.post(configMaps, { metadata: { name: 'a' } });
  await until(() => Promise.resolve(webhooks.calls.length === 1));
  await clock.advance(hour);
  allow();
  expect((await answer).code).toBe(201);
  await webhooks.close();
});
