import { ApiServer } from 'ots-apiserver';
import { ConfigMap } from 'ots-kubernetes/core/v1';
import { type Informer, Manager, createLogger, waitFor } from 'ots-runtime';
import { expect, onTestFinished, test } from 'vitest';
import { besideServer } from './beside-server.ts';

const key = { namespace: 'default', name: 'settings' };

/** A server, a manager beside it that caches ConfigMaps, and its requests for them. */
async function start() {
  const requests: string[] = [];
  const server = await ApiServer.start({
    controllers: false,
    onRequest: ({ verb, resource }) => resource === 'configmaps' && requests.push(verb),
  });
  const logger = createLogger({ level: 'silent' });
  const connection = besideServer(server);
  const manager = await Manager.create({ connection, userAgent: 'component', logger, webhooks: false });
  const informer = manager.cache.informer(ConfigMap);
  const running = manager.start();
  await manager.ready;
  onTestFinished(async () => {
    await manager.stop();
    await running;
    await server.stop();
  });
  const write = (data: Record<string, string>) =>
    manager.client.apply(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata: key, data });
  return { server, manager, informer, requests, write };
}

const eventsOf = (informer: Informer<ConfigMap>): string[] => {
  const events: string[] = [];
  informer.addHandler({
    added: ({ data }) => events.push(`added ${data?.['size']}`),
    updated: (_, { data }) => events.push(`updated ${data?.['size']}`),
    deleted: ({ data }) => events.push(`deleted ${data?.['size']}`),
  });
  return events;
};

test('caches beside a server are filled without requests, before and after a restart', async () => {
  const { server, manager, informer, requests, write } = await start();
  const events = eventsOf(informer);
  await write({ size: '1' });
  await write({ size: '2' });
  await waitFor(() => events.length === 2);
  await server.restart();
  await manager.client.delete(ConfigMap, key);
  await waitFor(() => events.length === 3);
  expect(events).toEqual(['added 1', 'updated 2', 'deleted 2']);
  expect(requests).toEqual(['patch', 'patch', 'delete']);
});

test('caches beside a server list and watch as soon as a fault concerns that, and miss nothing', async () => {
  const { server, informer, requests, write } = await start();
  const events = eventsOf(informer);
  await write({ size: '1' });
  await waitFor(() => events.length === 1);
  server.faults.add(
    { selects: ({ verb, resource }) => verb === 'watch' && resource === 'configmaps' },
    { watch: 'expire' },
  );
  await write({ size: '2' });
  await waitFor(() => events.includes('updated 2'));
  expect(events).toEqual(['added 1', 'updated 2']);
  await waitFor(() => requests.includes('watch'));
  expect(requests.slice(0, 3).toSorted()).toEqual(['list', 'patch', 'patch']);
});
