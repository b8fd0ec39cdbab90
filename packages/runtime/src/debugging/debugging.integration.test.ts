import { once } from 'node:events';
import { ConfigMap, Secret } from 'ots-kubernetes/core/v1';
import { Event } from 'ots-kubernetes/events/v1';
import { expect, onTestFinished, test } from 'vitest';
import { apiServerFixture } from '../../test/api-server-fixture.ts';
import { Thing, thing, thingCrds } from '../../test/thing.ts';
import { Client } from '../client/client.ts';
import { ControllerBuilder } from '../controller/controller-builder.ts';
import { isConflict, isNotFound } from '../errors/api-error.ts';
import { waitFor } from '../waiting/wait-for.ts';
import { type ReconcileRecord, type RequestRecord, attachDebugger, queueSnapshots } from './debugging.ts';

// Runs against the embedded API server, and against a real one when KUBEBUILDER_ASSETS is set.

const server = apiServerFixture(thingCrds);

test('a record has the requests, the reads from the cache and the events of a reconcile, and no contents', async () => {
  const namespace = await server.createNamespace();
  const manager = await server.createManager(namespace, { userAgent: 'test' });
  const { client } = manager;
  const events = manager.eventRecorder('things');
  const key = { name: 'a', namespace };
  new ControllerBuilder(manager).for(Thing).complete(async (request) => {
    const object = await client.getOrThrow(Thing, request);
    await client.list(Thing, { namespace });
    const metadata = { name: 'made', namespace };
    await client.create(Secret, { apiVersion: 'v1', kind: 'Secret', metadata, stringData: { x: 'hidden' } });
    await client.apply(ConfigMap, { metadata, data: { x: 'hidden' } });
    await client.patch(ConfigMap, metadata, { data: { x: 'hidden' } }, { dryRun: true });
    const stale = { ...object, metadata: { ...object.metadata, resourceVersion: '1' } };
    await client.update(Thing, stale).catch((error: unknown) => expect(isConflict(error)).toBe(true));
    await manager.apiReader.list(ConfigMap);
    await client.delete(ConfigMap, { name: 'none', namespace }).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
    events.event(object, { type: 'Normal', reason: 'Made', action: 'Make', note: 'hidden' });
    for (let index = 0; index < 60; index += 1) await manager.apiReader.get(Secret, metadata);
    for (let index = 0; index < 30; index += 1) await client.get(Thing, request);
  });
  const records: ReconcileRecord[] = [];
  onTestFinished(attachDebugger({ ended: (record) => records.push(record) }));
  manager.start().catch(() => {});
  await manager.ready;
  await server.client.create(Thing, { ...thing('a'), metadata: key });
  await waitFor(() => records.length > 0);
  const [record] = records as [ReconcileRecord];
  expect(
    record.requests.filter(({ durationSeconds, from }) => durationSeconds > 0 !== (from === 'live')),
  ).toEqual([]);
  const things = { group: 'example.com', resource: 'things', namespace, conflict: false };
  const configMaps = { group: '', resource: 'configmaps', from: 'live', conflict: false };
  const made = { ...configMaps, namespace, name: 'made' };
  expect(record.requests.slice(0, 8)).toMatchObject([
    { verb: 'get', from: 'cache', ...things, name: 'a' },
    { verb: 'list', from: 'cache', ...things },
    { verb: 'create', ...made, resource: 'secrets', status: 201 },
    { verb: 'patch', ...made, patch: 'apply', status: 201 },
    { verb: 'patch', ...made, patch: 'merge', dryRun: true, status: 200 },
    { verb: 'update', from: 'live', ...things, name: 'a', status: 409, conflict: true },
    { verb: 'list', ...configMaps, status: 200 },
    { verb: 'delete', ...configMaps, namespace, name: 'none', status: 404 },
  ]);
  expect(record).toMatchObject({ writes: 2, omittedRequests: 16 + 12, result: { type: 'done' } });
  expect(record.requests).toHaveLength(70);
  const about = { apiVersion: 'example.com/v1', kind: 'Thing', namespace, name: 'a' };
  const event = { namespace, name: expect.stringMatching(/^a\.[0-9a-f]{16}$/) };
  expect(record.events).toEqual([{ type: 'Normal', reason: 'Made', ...about, event }]);
  await waitFor(() => manager.apiReader.get(Event, record.events[0]!.event!));
  expect(JSON.stringify(records)).not.toContain('hidden');
  expect(queueSnapshots()).toMatchObject([{ controller: 'thing', kind: 'Thing' }]);
});

test('a debugger learns of the requests outside of reconciles, of watches, and of what RBAC denies', async () => {
  const namespace = await server.createNamespace();
  const records: RequestRecord[] = [];
  const of = (verb: string) =>
    records.filter((record) => record.verb === verb && record.resource === 'things');
  onTestFinished(
    attachDebugger({
      requested: (record) => {
        records.push(record);
        throw new Error('bug of a tool');
      },
    }),
  );
  const warned = once(process, 'warning');
  const manager = await server.createManager(namespace);
  new ControllerBuilder(manager).for(Thing).complete(async () => {});
  manager.start().catch(() => {});
  await manager.ready;
  await waitFor(() => of('watch').length > 0);
  expect(of('watch')[0]).toMatchObject({ group: 'example.com', namespace, status: 200, conflict: false });
  expect(of('watch')[0]).not.toHaveProperty('denied');
  expect(await warned).toMatchObject([{ message: 'bug of a tool' }]);

  const stranger = new Client({ ...server.config, impersonate: { user: 'stranger' } });
  onTestFinished(() => stranger.close());
  await expect(stranger.delete(Thing, { name: 'a', namespace })).rejects.toThrow('cannot delete');
  expect(of('delete')).toMatchObject([{ namespace, name: 'a', status: 403, denied: true }]);
});
