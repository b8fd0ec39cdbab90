import { SimulatedApi } from 'ots-testing';
import { beforeEach, describe, expect, test } from 'vitest';
import { apiServerFixture } from '../../test/api-server-fixture.ts';
import {
  Bucket,
  Buckets,
  BucketsWithIds,
  type StoredBucket,
  bucket,
  bucketCrds,
} from '../../test/buckets.ts';
import { App, ownerCrds } from '../../test/owners.ts';
import { refusal } from '../../test/refusal.ts';
import type { Client } from '../client/client.ts';
import { conditionTrue } from '../conditions/condition-true.ts';
import { setCondition } from '../conditions/set-condition.ts';
import { isConflict, isNotFound } from '../errors/api-error.ts';
import { waitFor } from '../waiting/wait-for.ts';
import { waitForObject } from '../waiting/wait-for-object.ts';
import { creating, synced } from './external-conditions.ts';
import { externalResource } from './external-controller.ts';
import { ExternalObject } from './external-object.ts';

// Runs against the embedded API server, and against a real one when KUBEBUILDER_ASSETS is set.

const server = apiServerFixture(bucketCrds, ownerCrds);
let client: Client;
let namespace: string;
let api: SimulatedApi<StoredBucket>;

beforeEach(async () => {
  ({ client } = server);
  namespace = await server.createNamespace();
  api = new SimulatedApi();
});

const key = (name: string) => ({ name, namespace });

test.each([
  ['chooses its identity', (each: SimulatedApi<StoredBucket>) => new Buckets(each)],
  ['receives its ID', (each: SimulatedApi<StoredBucket>) => new BucketsWithIds(each)],
])('an object that %s goes through its life', async (_, external) => {
  const manager = await server.createManager(namespace);
  externalResource(manager, { kind: Bucket, external: external(api), pollInterval: '1s' });
  void manager.start();
  await manager.ready;
  await client.create(Bucket, bucket('photos', namespace));
  const ready = await waitForObject(client, Bucket, key('photos'), conditionTrue('Ready'));
  const [id] = api.items.keys();
  expect(ready!.metadata).toMatchObject({
    annotations: { 'runtime.ots/external-id': id },
    finalizers: ['runtime.ots/external'],
  });
  expect(ready!.status!.endpoint).toBe(`https://north.example.com/${id}`);
  await client.patch(Bucket, key('photos'), { spec: { region: 'south' } });
  await waitFor(() => api.items.get(id!)?.region === 'south');
  api.items.set(id!, { region: 'drifted' });
  await waitFor(() => api.items.get(id!)?.region === 'south');
  await client.delete(Bucket, key('photos'));
  await waitFor(async () => (await client.get(Bucket, key('photos'))) === undefined);
  expect([api.created, api.items.size]).toEqual([1, 0]);
});

describe('the server confirms an object', () => {
  const annotations = { 'runtime.ots/external-id': 'a' };

  test('without a change if it is the one that was read, and not if it has changed since', async () => {
    const read = await client.create(Bucket, bucket('a', namespace));
    const object = new ExternalObject(client, Bucket, read);
    await object.confirm(annotations);
    const { metadata } = object.current;
    expect(metadata).toMatchObject({ annotations, finalizers: ['runtime.ots/external'] });
    await object.confirm(annotations);
    await object.confirm();
    expect(object.current.metadata.resourceVersion).toBe(metadata.resourceVersion);
    const changed = await client.patch(Bucket, key('a'), { metadata: { labels: { a: 'b' } } });
    expect(isConflict(await refusal(object.confirm()))).toBe(true);
    expect(isConflict(await refusal(object.confirm(annotations)))).toBe(true);
    expect(isConflict(await refusal(new ExternalObject(client, Bucket, read).confirm()))).toBe(true);
    expect(await client.get(Bucket, key('a'))).toEqual(changed);
  });

  test('that is being deleted without adding the finalizer', async () => {
    const finalizers = ['example.com/other'];
    const metadata = { ...key('a'), finalizers };
    await client.create(Bucket, { ...bucket('a', namespace), metadata });
    await client.delete(Bucket, key('a'));
    const object = new ExternalObject(client, Bucket, await client.getOrThrow(Bucket, key('a')));
    await object.confirm();
    expect(object.current.metadata.finalizers).toEqual(finalizers);
    await client.patch(Bucket, key('a'), { metadata: { finalizers: null } });
    expect(isNotFound(await refusal(object.confirm()))).toBe(true);
    await client.create(Bucket, bucket('a', namespace));
    expect(isConflict(await refusal(object.confirm()))).toBe(true);
    expect(isConflict(await refusal(object.annotate(annotations, {})))).toBe(true);
  });
});

describe('the conditions of others stay', () => {
  const others = { type: 'BackedUp', status: 'True', reason: 'Nightly', message: '' } as const;
  const now = new Date('2026-01-01T00:00:00Z');
  const types = (conditions: readonly { type: string }[] | undefined) => conditions?.map(({ type }) => type);

  test.each(['an atomic list', 'a map'])('in %s', async (list) => {
    const conditions = setCondition(undefined, others, now);
    const status = { status: { conditions } };
    if (list === 'a map') {
      await client.create(App, {
        apiVersion: 'example.com/v1',
        kind: 'App',
        metadata: key('a'),
        spec: {},
      });
      const read = await client.status.patch(App, key('a'), status);
      const object = new ExternalObject(client, App, read);
      await object.report({ Synced: synced, Ready: creating }, { parts: 1 }, now);
      await object.report({ Synced: synced, Ready: synced }, {}, now);
      const { status: stored } = (await client.get(App, key('a')))!;
      expect(types(stored?.conditions)).toEqual(['BackedUp', 'Synced', 'Ready']);
      expect(stored).not.toHaveProperty('parts');
      return;
    }
    await client.create(Bucket, bucket('a', namespace));
    const read = await client.status.patch(Bucket, key('a'), status);
    const object = new ExternalObject(client, Bucket, read);
    await object.report({ Synced: synced, Ready: creating }, { endpoint: 'a' }, now);
    const { resourceVersion } = object.current.metadata;
    await object.report({ Synced: synced, Ready: undefined }, undefined, now);
    expect(object.current.metadata.resourceVersion).toBe(resourceVersion);
    const { status: stored } = (await client.get(Bucket, key('a')))!;
    expect(types(stored?.conditions)).toEqual(['BackedUp', 'Synced', 'Ready']);
    expect(stored!.endpoint).toBe('a');
  });

  test('if the object has changed since it was read', async () => {
    const read = await client.create(Bucket, bucket('a', namespace));
    const conditions = setCondition(undefined, others, now);
    await client.status.patch(Bucket, key('a'), { status: { conditions } });
    const object = new ExternalObject(client, Bucket, read);
    const report = object.report({ Synced: synced, Ready: creating }, undefined, now);
    expect(isConflict(await refusal(report))).toBe(true);
    expect((await client.get(Bucket, key('a')))!.status!.conditions).toEqual(conditions);
  });
});
