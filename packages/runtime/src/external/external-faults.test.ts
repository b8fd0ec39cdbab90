import { SimulatedApi, TestEnvironment } from 'ots-testing';
import { describe, expect, test } from 'vitest';
import {
  Bucket,
  Buckets,
  BucketsWithIds,
  type StoredBucket,
  bucket,
  bucketCrds,
} from '../../test/buckets.ts';
import { Client } from '../client/client.ts';
import { conditionTrue } from '../conditions/condition-true.ts';
import { createLogger } from '../logging/create-logger.ts';
import { Manager } from '../manager/manager.ts';
import { externalResource } from './external-controller.ts';

const key = { name: 'photos', namespace: 'default' };
const logger = createLogger({ level: 'silent' });
const groups = ['system:masters'];

/** A replica of an operator, as a user of its own. */
async function replica(
  environment: TestEnvironment,
  user: string,
  external: Buckets | BucketsWithIds,
): Promise<Manager> {
  const manager = await Manager.create({
    connection: await environment.as({ user, groups }),
    logger,
    leaderElection: { id: 'buckets', namespace: 'default', identity: user },
  });
  externalResource(manager, { kind: Bucket, external, pollInterval: '5m' });
  manager.start().catch(() => {}); // a replica that loses its leadership fails
  await manager.ready;
  return manager;
}

describe('a leader that loses its leadership during a creation', () => {
  test.each([
    ['that ends with its signal', true],
    ['that is sent all the same', false],
  ])('%s leaves one external resource', async (_, heedsSignal) => {
    await using environment = await TestEnvironment.start({ clock: 'virtual', crds: [bucketCrds] });
    await using client = new Client(environment.config);
    const api = new SimulatedApi<StoredBucket>({ clock: environment.config.clock });
    const external = new Buckets(api);
    if (!heedsSignal) {
      external.create = ({ spec }, { identity }) => api.create(identity, { region: spec.region });
    }
    const first = await replica(environment, 'first', external);
    await environment.advance('5s');
    const second = await replica(environment, 'second', external);
    const slow = api.disturb('create', { latency: '40s' });
    await client.create(Bucket, bucket('photos'));
    await environment.advance('1s');
    environment.faults.add({ user: { user: 'first', groups } }, { disconnect: 'before' });
    await environment.advance('39s');
    expect(slow.hits).toBe(1);
    expect(conditionTrue('Ready')(await client.get(Bucket, key))).toBe(true); // by the second
    await environment.advance('2m');
    expect([api.created, api.items.size]).toEqual([1, 1]);
    await client.delete(Bucket, key);
    await environment.advance('1m');
    expect(await client.get(Bucket, key)).toBeUndefined();
    expect(api.items.size).toBe(0);
    const stopped = [first.stop(), second.stop()];
    await environment.advance('2m');
    await Promise.all(stopped);
  });

  test('with an assigned ID leaves the decision to a person', async () => {
    await using environment = await TestEnvironment.start({ clock: 'virtual', crds: [bucketCrds] });
    await using client = new Client(environment.config);
    const api = new SimulatedApi<StoredBucket>({ clock: environment.config.clock });
    const external = new BucketsWithIds(api);
    const first = await replica(environment, 'first', external);
    await environment.advance('5s');
    const second = await replica(environment, 'second', external);
    api.disturb('create', { latency: '20s' });
    await client.create(Bucket, bucket('photos'));
    await environment.advance('1s');
    environment.faults.add({ user: { user: 'first', groups } }, { disconnect: 'before' });
    await environment.advance('10m');
    expect(api.created).toBe(1);
    expect((await client.get(Bucket, key))!.status!.conditions![0]).toMatchObject({
      type: 'Synced',
      reason: 'CreateUnknown',
    });
    const stopped = [first.stop(), second.stop()];
    await environment.advance('2m');
    await Promise.all(stopped);
  });
});

const effects = [
  { refuse: 'busy' },
  { disconnect: 'before' },
  { disconnect: 'after' },
  { timeout: 'before' },
  { timeout: 'after' },
  { latency: '3s' },
] as const;
const operations = ['create', 'get', 'update', 'delete'] as const;

test.each([1, 2, 3])(
  'whatever fails on both sides, there is one external resource and in the end none (seed %i)',
  async (seed) => {
    await using environment = await TestEnvironment.start({ clock: 'virtual', seed, crds: [bucketCrds] });
    await using client = new Client(environment.config);
    const api = new SimulatedApi<StoredBucket>({ clock: environment.config.clock });
    let state = seed * 7919;
    const choose = <T>(from: readonly T[]): T => from[(state = (state * 48271) % 2147483647) % from.length]!;
    const user = { user: 'operator', groups };
    const start = async (): Promise<Manager> => {
      const manager = await Manager.create({ connection: await environment.as(user), logger });
      externalResource(manager, { kind: Bucket, external: new Buckets(api), pollInterval: '1m' });
      manager.start().catch(() => {});
      await manager.ready;
      return manager;
    };
    let manager = await start();
    const disturb = (): void => {
      for (const operation of operations) api.disturb(operation, choose(effects), choose([0, 1, 2]));
      const verbs = ['patch'] as const;
      for (const resource of ['buckets', 'buckets/status']) {
        const requests = { user, verbs, resource, times: choose([1, 2, 3]) };
        environment.faults.add(requests, { disconnect: choose(['before', 'after'] as const) });
      }
      environment.faults.add(
        { user, verbs: ['watch'], resource: 'buckets', times: 1 },
        { watch: choose(['drop', 'expire'] as const) },
      );
    };
    let drifts = 0;
    for (let round = 0; round < 3; round += 1) {
      disturb();
      await client.create(Bucket, bucket('photos'));
      await environment.advance(choose(['1s', '5s', '30s']));
      disturb();
      await client.patch(Bucket, key, { spec: { region: choose(['south', 'east']) } });
      await environment.advance(choose(['1s', '5s', '30s']));
      const stopped = manager.stop();
      await environment.advance('2m');
      await stopped;
      manager = await start();
      await environment.advance('20m');
      expect(api.items.size).toBe(1);
      for (const id of api.items.keys()) api.items.set(id, { region: `drift-${(drifts += 1)}` });
      disturb();
      await environment.advance('20m');
      const stored = (await client.get(Bucket, key))!;
      expect([...api.items.values()]).toEqual([{ region: stored.spec.region }]);
      expect(conditionTrue('Synced')(stored)).toBe(true);
      disturb();
      await client.delete(Bucket, key);
      await environment.advance('20m');
      expect(await client.get(Bucket, key)).toBeUndefined();
      expect([api.created, api.items.size]).toEqual([round + 1, 0]);
    }
    const stopped = manager.stop();
    await environment.advance('2m');
    await stopped;
  },
);
