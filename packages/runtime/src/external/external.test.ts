import { type FaultedRequests, SimulatedApi, TestEnvironment, type TestFaultEffect } from 'ots-testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  Bucket,
  Buckets,
  BucketsWithIds,
  type StoredBucket,
  bucket,
  bucketCrds,
} from '../../test/buckets.ts';
import { Client } from '../client/client.ts';
import { findCondition } from '../conditions/find-condition.ts';
import { setCondition } from '../conditions/set-condition.ts';
import { TerminalError } from '../controller/classify-error.ts';
import { createLogger } from '../logging/create-logger.ts';
import { Manager } from '../manager/manager.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import { externalResource } from './external-controller.ts';
import { NotCreatedError } from './external-errors.ts';
import type { ExternalOptions } from './external-options.ts';

const key = { name: 'photos', namespace: 'default' };
const operator = { user: 'operator', groups: ['system:masters'] };
const idAnnotation = 'runtime.ots/external-id';
const createStarted = 'runtime.ots/external-create-started';
const finalizer = 'runtime.ots/external';

let environment: TestEnvironment;
let client: Client;
let api: SimulatedApi<StoredBucket>;
let managers: Manager[];

beforeEach(async () => {
  environment = await TestEnvironment.start({ clock: 'virtual', crds: [bucketCrds] });
  client = new Client(environment.config, { fieldOwner: 'test' });
  api = new SimulatedApi({ clock: environment.config.clock });
  managers = [];
});

afterEach(async () => {
  const stopped = managers.map((manager) => manager.stop());
  await environment.advance('2m');
  await Promise.all(stopped);
  await client.close();
  await environment.stop();
});

type Options = Partial<ExternalOptions<Bucket, StoredBucket>>;

async function start(options: Options = {}): Promise<Manager> {
  const manager = await Manager.create({
    connection: await environment.as(operator),
    logger: createLogger({ level: 'silent' }),
  });
  managers.push(manager);
  externalResource(manager, { kind: Bucket, external: new Buckets(api), ...options });
  manager.start().catch(() => {});
  await manager.ready;
  return manager;
}

async function read(): Promise<DeepReadonly<Bucket> | undefined> {
  return client.get(Bucket, key);
}

async function annotations(): Promise<Readonly<Record<string, string>>> {
  return (await read())?.metadata.annotations ?? {};
}

/** Such as `Synced=True ReconcileSuccess`. */
async function conditions(): Promise<string[]> {
  const all = (await read())?.status?.conditions ?? [];
  return all.map(({ type, status, reason, message }) => `${type}=${status} ${reason} ${message}`.trim());
}

const good = ['Synced=True ReconcileSuccess', 'Ready=True Available'];

/** The calls that changed something. */
function changes(): string[] {
  return api.calls.filter((call) => !call.startsWith('get'));
}

function looks(): number {
  return api.calls.filter((call) => call.startsWith('get')).length;
}

async function create(): Promise<Bucket> {
  const created = await client.create(Bucket, bucket('photos'));
  await environment.advance('5s');
  return created;
}

describe('an external resource', () => {
  test('is created with an identity that the object has before, and reported', async () => {
    await start();
    api.disturb('create', { timeout: 'before' });
    const created = await client.create(Bucket, bucket('photos'));
    await environment.advance('30s');
    const identity = `photos-${created.metadata.uid}`;
    expect((await read())!.metadata).toMatchObject({
      annotations: { [idAnnotation]: identity },
      finalizers: [finalizer],
    });
    expect(changes()).toEqual([]);
    await environment.advance('2m');
    expect([...api.items.keys()]).toEqual([identity]);
    expect(await conditions()).toEqual(good);
    const { status, metadata } = (await read())!;
    expect(status!.endpoint).toBe(`https://north.example.com/${identity}`);
    expect(status!.conditions!.map(({ observedGeneration }) => observedGeneration)).toEqual([
      metadata.generation,
      metadata.generation,
    ]);
  });

  test('is updated when the spec changes, and only then', async () => {
    await start();
    await create();
    await client.patch(Bucket, key, { metadata: { labels: { team: 'a' } } });
    await environment.advance('5s');
    expect(changes()).toHaveLength(1);
    await client.patch(Bucket, key, { spec: { region: 'south' } });
    await environment.advance('5s');
    expect(changes().map((call) => call.split(' ')[0])).toEqual(['create', 'update']);
    expect([...api.items.values()]).toEqual([{ region: 'south' }]);
    expect((await read())!.status!.endpoint).toContain('south');
    const observed = findCondition((await read())!.status!.conditions, 'Synced')!.observedGeneration;
    expect(observed).toBe((await read())!.metadata.generation);
  });

  test('is deleted with its object, which is there until it is gone', async () => {
    await start();
    await create();
    const [id] = api.items.keys();
    api.items.set(id!, { region: 'north', state: 'deleting' });
    await client.delete(Bucket, key);
    await environment.advance('1m');
    expect(await conditions()).toEqual([
      'Synced=True ReconcileSuccess',
      'Ready=False Deleting the external resource may still exist',
    ]);
    api.items.delete(id!);
    await environment.advance('2m');
    expect(await read()).toBeUndefined();
  });

  test('is gone as soon as its API deletes it', async () => {
    await start();
    await create();
    await client.delete(Bucket, key);
    await environment.settle();
    expect(await read()).toBeUndefined();
    expect(api.items.size).toBe(0);
  });

  test('stays with the deletion policy Orphan', async () => {
    await start({ deletionPolicy: ({ spec }) => (spec.keep ? 'Orphan' : 'Delete') });
    await create();
    await client.patch(Bucket, key, { spec: { keep: true } });
    await client.delete(Bucket, key);
    await environment.settle();
    expect(await read()).toBeUndefined();
    expect(api.items.size).toBe(1);
  });

  test('of an object made again under its name is another one', async () => {
    await start();
    const first = await create();
    await client.delete(Bucket, key);
    await environment.advance('5s');
    const second = await create();
    expect(changes()).toEqual([
      `create photos-${first.metadata.uid}`,
      `delete photos-${first.metadata.uid}`,
      `create photos-${second.metadata.uid}`,
    ]);
  });

  test('that exists is adopted by its identity', async () => {
    await start();
    api.items.set('old-photos', { region: 'south' });
    await client.create(Bucket, {
      ...bucket('photos'),
      metadata: { ...key, annotations: { [idAnnotation]: 'old-photos' } },
    });
    await environment.advance('5s');
    expect(changes()).toEqual(['update old-photos']);
    expect((await read())!.metadata.finalizers).toEqual([finalizer]);
    await client.delete(Bucket, key);
    await environment.settle();
    expect(api.items.size).toBe(0);
  });

  test('that exists and is as specified is adopted without a change of it', async () => {
    const external = Object.assign(new Buckets(api), { identify: () => 'old-photos' });
    await start({ external });
    api.items.set('old-photos', { region: 'north' });
    await create();
    expect(changes()).toEqual([]);
    expect(await conditions()).toEqual(good);
    expect((await read())!.metadata).toMatchObject({
      annotations: { [idAnnotation]: 'old-photos' },
      finalizers: [finalizer],
    });
  });

  test('has the identity that its author chooses, also after the spec has changed', async () => {
    const external = new Buckets(api);
    await start({
      external: Object.assign(external, {
        identify: ({ spec }: DeepReadonly<Bucket>) => `in-${spec.region}`,
      }),
    });
    await create();
    await client.patch(Bucket, key, { spec: { region: 'south' } });
    await environment.advance('5s');
    expect(Object.fromEntries(api.items)).toEqual({ 'in-north': { region: 'south' } });
  });

  test('that is not ready is observed again, less and less often', async () => {
    await start({ pollInterval: '1h' });
    await create();
    const [id] = api.items.keys();
    api.items.set(id!, { region: 'north', state: 'creating' });
    await client.patch(Bucket, key, { metadata: { annotations: { look: 'again' } } });
    await environment.settle();
    expect(await conditions()).toEqual([good[0], 'Ready=False Unavailable the bucket is creating']);
    const before = looks();
    await environment.advance('30s');
    expect(looks() - before).toBeLessThanOrEqual(6);
    expect(looks() - before).toBeGreaterThanOrEqual(4);
    api.items.set(id!, { region: 'north' });
    await environment.advance('1m');
    expect(await conditions()).toEqual(good);
  });

  test('that was never ready is being created', async () => {
    const external = new Buckets(api);
    external.create = ({ spec }, { identity }) =>
      api.create(identity, { region: spec.region, state: 'creating' });
    await start({ external });
    await create();
    expect(await conditions()).toEqual([good[0], 'Ready=False Creating the bucket is creating']);
    await environment.advance('1m');
    expect(await conditions()).toEqual([good[0], 'Ready=False Creating the bucket is creating']);
  });

  test('whose update takes no effect is updated again, less and less often', async () => {
    const external = new Buckets(api);
    let updates = 0;
    external.update = async () => void (updates += 1);
    await start({ external, pollInterval: '1h' });
    await create();
    await client.patch(Bucket, key, { spec: { region: 'south' } });
    await environment.advance('30s');
    expect(await conditions()).toEqual([
      'Synced=False Updating the change has not taken effect yet',
      good[1],
    ]);
    expect(updates).toBeGreaterThanOrEqual(4);
    expect(updates).toBeLessThanOrEqual(7);
  });
});

describe('drift', () => {
  test('is repaired at the poll', async () => {
    await start({ pollInterval: '10m' });
    await create();
    const [id] = api.items.keys();
    api.items.set(id!, { region: 'moon' });
    await environment.advance('4m');
    expect(api.items.get(id!)).toEqual({ region: 'moon' });
    await environment.advance('6m');
    expect(api.items.get(id!)).toEqual({ region: 'north' });
    api.items.delete(id!);
    await environment.advance('10m');
    expect(api.items.get(id!)).toEqual({ region: 'north' });
    expect(api.created).toBe(2);
  });

  test('is looked for at different times after a start', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) await client.create(Bucket, bucket(name));
    await start({ pollInterval: '10m' });
    await environment.advance('4m');
    const [first] = [looks()];
    const minutes: number[] = [];
    for (let minute = 4; minute < 10; minute += 1) {
      const before = looks();
      await environment.advance('1m');
      minutes.push(looks() - before);
    }
    expect(looks() - first).toBe(8);
    expect(Math.max(...minutes)).toBeLessThan(5);
  });

  test('costs no request to the API server while there is none', async () => {
    await environment.stop();
    environment = await TestEnvironment.start({ clock: 'virtual', crds: [bucketCrds], recordRequests: true });
    client = new Client(environment.config);
    await start({ pollInterval: '1m' });
    await create();
    await environment.requests.clear();
    await environment.advance('30m');
    expect(looks()).toBeGreaterThan(30);
    const requests = await environment.requests.by(operator);
    expect(requests.filter(({ resource, verb }) => resource === 'buckets' && verb !== 'watch')).toEqual([]);
  });
});

describe('failures of the external API', () => {
  test('are in the condition without credentials, and retried with a growing delay', async () => {
    await start();
    const refused = api.disturb('create', { refuse: 'quota for Bearer abcdefgh exceeded' }, Infinity);
    await create();
    expect(await conditions()).toEqual([
      'Synced=False ReconcileError create failed: quota for Bearer [masked] exceeded',
      'Ready=False Creating the external resource does not exist yet',
    ]);
    expect(refused.hits).toBeLessThanOrEqual(4);
    refused.remove();
    await environment.advance('1m');
    expect(await conditions()).toEqual(good);
  });

  test('that a retry cannot help are reported, and not retried before the object changes', async () => {
    const external = new Buckets(api);
    let attempts = 0;
    external.create = () => Promise.reject(new TerminalError(`region ${(attempts += 1)} does not exist`));
    await start({ external });
    await create();
    await environment.advance('1h');
    expect((await conditions())[0]).toBe(
      'Synced=False ReconcileError create failed: region 1 does not exist',
    );
    await client.patch(Bucket, key, { spec: { region: 'south' } });
    await environment.advance('1h');
    expect(attempts).toBe(2);
  });

  test('of an update leave what is observed in the other condition', async () => {
    await start();
    await create();
    const [id] = api.items.keys();
    api.items.set(id!, { region: 'north', state: 'creating' });
    api.disturb('update', { refuse: 'locked' }, Infinity);
    await client.patch(Bucket, key, { spec: { region: 'south' } });
    await environment.advance('5s');
    expect(await conditions()).toEqual([
      'Synced=False ReconcileError update failed: locked',
      'Ready=False Unavailable the bucket is creating',
    ]);
  });

  test('keep what is known of an external resource that cannot be observed', async () => {
    await start();
    await create();
    const { endpoint } = (await read())!.status!;
    const down = api.disturb('get', { disconnect: 'before' }, Infinity);
    await client.patch(Bucket, key, { spec: { region: 'south' } });
    await environment.advance('5s');
    expect(await conditions()).toEqual([
      'Synced=False ReconcileError observe failed: the connection to the API was lost',
      'Ready=True Available',
    ]);
    expect((await read())!.status!.endpoint).toBe(endpoint);
    down.remove();
    await environment.advance('1m');
    expect(await conditions()).toEqual(good);
    expect(changes().at(-1)).toContain('update');
  });

  test.each(['before', 'after'] as const)(
    'a creation whose response is lost %s it happens, happens once',
    async (when) => {
      await start();
      api.disturb('create', { disconnect: when });
      api.disturb('create', { timeout: when });
      await create();
      await environment.advance('5m');
      expect(await conditions()).toEqual(good);
      expect(api.created).toBe(1);
    },
  );

  test('a call that never ends, and ignores its signal, ends with its timeout and blocks no other object', async () => {
    const external = new Buckets(api);
    const observe = external.observe.bind(external);
    let hangs = true;
    external.observe = (object, context) =>
      hangs && object.metadata.name === 'photos' ? new Promise(() => {}) : observe(object, context);
    await start({ external, callTimeout: '20s' });
    await create();
    await client.create(Bucket, bucket('videos'));
    await environment.advance('5s');
    expect(api.created).toBe(1);
    await environment.advance('15s');
    expect(await conditions()).toEqual([
      'Synced=False ReconcileError observe failed: no response from the external API within 20000 ms',
    ]);
    hangs = false;
    await environment.advance('1m');
    expect(await conditions()).toEqual(good);
  });

  test('a deletion that fails keeps the object', async () => {
    await start();
    await create();
    const refused = api.disturb('delete', { refuse: 'the bucket is not empty' }, Infinity);
    await client.delete(Bucket, key);
    await environment.advance('10s');
    expect(await conditions()).toEqual([
      'Synced=False ReconcileError delete failed: the bucket is not empty',
      'Ready=False Deleting the external resource may still exist',
    ]);
    refused.remove();
    api.disturb('delete', { disconnect: 'after' });
    await environment.advance('2m');
    expect(await read()).toBeUndefined();
    expect(api.items.size).toBe(0);
  });

  test('a creation that was given up and happens after the deletion of the object leaves nothing behind', async () => {
    const external = new Buckets(api);
    external.create = ({ spec }, { identity }) => api.create(identity, { region: spec.region });
    await start({ external, callTimeout: '5s' });
    api.disturb('create', { latency: '20s' }, Infinity);
    await create();
    await client.delete(Bucket, key);
    await environment.advance('10s');
    expect([api.created, await read()]).toEqual([0, expect.anything()]);
    await environment.advance('2m');
    expect(await read()).toBeUndefined();
    expect(api.created).toBeGreaterThan(0);
    expect(api.items.size).toBe(0);
  });

  test('an object whose creation was refused is soon gone', async () => {
    await start();
    api.disturb('create', { refuse: 'quota exceeded' }, Infinity);
    await create();
    await client.delete(Bucket, key);
    await environment.advance('1m');
    expect(await read()).toBeUndefined();
  });

  test('an object that is deleted during the creation leaves nothing behind', async () => {
    await start();
    api.disturb('create', { latency: '10s' });
    await create();
    await client.delete(Bucket, key);
    await environment.advance('1m');
    expect(await read()).toBeUndefined();
    expect([api.created, api.items.size]).toEqual([1, 0]);
  });
});

describe('faults of the API server', () => {
  test.each<[FaultedRequests, TestFaultEffect]>([
    [{ verbs: ['patch'], times: 3 }, { disconnect: 'before' }],
    [{ verbs: ['patch'], times: 3 }, { disconnect: 'after' }],
    [{ verbs: ['patch'], times: 3 }, { timeout: 'after' }],
    [{ verbs: ['patch'], times: 3 }, { answer: 'Conflict' }],
    [{ verbs: ['patch'], times: 3 }, { answer: 'InternalError' }],
    [{ verbs: ['watch'] }, { watch: 'delay', by: '20s' }],
    [{ verbs: ['watch'], times: 2 }, { watch: 'drop' }],
  ])('%j: %j do not create twice or leave something behind', async (requests, effect) => {
    await start();
    const fault = environment.faults.add({ resource: 'buckets', user: operator, ...requests }, effect);
    const status = environment.faults.add(
      { resource: 'buckets/status', user: operator, verbs: ['patch'], times: 2 },
      { disconnect: 'after' },
    );
    await create();
    await environment.advance('10m');
    expect([fault.hits > 0, status.hits]).toEqual([true, 2]);
    expect(await conditions()).toEqual(good);
    expect(api.created).toBe(1);
    await client.patch(Bucket, key, { spec: { region: 'south' } });
    await environment.advance('5m');
    expect([...api.items.values()]).toEqual([{ region: 'south' }]);
    await client.delete(Bucket, key);
    await environment.advance('5m');
    expect(await read()).toBeUndefined();
    expect([api.created, api.items.size]).toEqual([1, 0]);
  });

  test('an object that the cache still has is confirmed before anything is created for it', async () => {
    await start({ pollInterval: '1m' });
    await create();
    environment.faults.add({ verbs: ['watch'], user: operator }, { watch: 'delay', by: '1h' });
    // What another leader has done meanwhile.
    await client.patch(Bucket, key, { metadata: { finalizers: null } });
    await client.delete(Bucket, key);
    api.items.clear();
    const before = looks();
    await environment.advance('5m');
    expect(looks()).toBeGreaterThan(before);
    expect([api.created, api.items.size]).toEqual([1, 0]);
  });

  test('drift is not repaired by a spec that is no longer the current one', async () => {
    const external = new Buckets(api);
    const update = external.update.bind(external);
    const regions: string[] = [];
    external.update = (object, ...rest) => {
      regions.push(object.spec.region);
      return update(object, ...rest);
    };
    await start({ external, pollInterval: '1m' });
    await create();
    const late = environment.faults.add({ verbs: ['watch'], user: operator }, { watch: 'delay', by: '5m' });
    await client.patch(Bucket, key, { spec: { region: 'south' } });
    const [id] = api.items.keys();
    api.items.set(id!, { region: 'moon' });
    await environment.advance('4m');
    expect(regions).toEqual([]);
    await environment.advance('5m');
    expect(late.hits).toBeGreaterThan(0);
    expect(regions).toEqual(['south']);
  });

  test('an object that was made again is not the one whose external resource is deleted', async () => {
    await start();
    await create();
    const { annotations: kept } = (await read())!.metadata;
    api.disturb('get', { latency: '10s' });
    await client.delete(Bucket, key);
    await environment.advance('1s');
    await client.patch(Bucket, key, { metadata: { finalizers: null } });
    await client.create(Bucket, { ...bucket('photos'), metadata: { ...key, annotations: kept! } });
    await environment.advance('1m');
    expect(changes()).toHaveLength(1);
    expect(await conditions()).toEqual(good);
  });
});

describe('the status', () => {
  test('keeps the conditions and fields of others, also in a list that the CRD declares atomic', async () => {
    await start();
    await create();
    const others = { type: 'BackedUp', status: 'True', reason: 'Nightly', message: '' } as const;
    await client.status.patch(Bucket, key, {
      status: { owner: 'me', conditions: setCondition((await read())!.status!.conditions, others) },
    });
    await client.patch(Bucket, key, { spec: { region: 'south' } });
    await environment.advance('5s');
    const { status } = (await read())!;
    expect(status!.owner).toBe('me');
    expect(status!.endpoint).toContain('south');
    expect(await conditions()).toEqual([...good, 'BackedUp=True Nightly']);
  });

  test('the transition time changes only with the status of a condition', async () => {
    await start();
    await create();
    const before = findCondition((await read())!.status!.conditions, 'Ready')!.lastTransitionTime;
    await environment.advance('1m');
    await client.patch(Bucket, key, { spec: { region: 'south' } });
    await environment.advance('5s');
    const after = findCondition((await read())!.status!.conditions, 'Ready')!;
    expect(after).toMatchObject({ lastTransitionTime: before, observedGeneration: 2 });
  });
});

describe('an external resource with an assigned ID', () => {
  const startWithIds = (options: Options = {}): Promise<Manager> =>
    start({ external: new BucketsWithIds(api), ...options });

  test('is created, updated and deleted by its ID', async () => {
    await startWithIds();
    await create();
    expect(await conditions()).toEqual(good);
    expect((await annotations())[idAnnotation]).toBe('id-1');
    expect(await annotations()).not.toHaveProperty([createStarted]);
    await client.patch(Bucket, key, { spec: { region: 'south' } });
    await environment.advance('5s');
    await client.delete(Bucket, key);
    await environment.advance('5s');
    expect(changes()).toEqual(['create id-1', 'update id-1', 'delete id-1']);
    expect(await read()).toBeUndefined();
  });

  test('is not created twice when the response is lost: a person decides', async () => {
    await startWithIds();
    api.disturb('create', { disconnect: 'after' });
    await create();
    await environment.advance('1h');
    expect(api.created).toBe(1);
    expect((await conditions())[0]).toMatch(
      /^Synced=False CreateUnknown the result of the creation that began at 2026-01-01T\S+ was lost\. If it made something, set the annotation runtime\.ots\/external-id to its ID\. If not, remove the annotation/,
    );
    await client.patch(Bucket, key, { metadata: { annotations: { [idAnnotation]: 'id-1' } } });
    await environment.advance('5s');
    expect(await conditions()).toEqual(good);
    expect(api.created).toBe(1);
  });

  test('is created again when a person says that the lost creation made nothing', async () => {
    await startWithIds();
    api.disturb('create', { disconnect: 'before' });
    await create();
    await client.delete(Bucket, key);
    await client.patch(Bucket, key, { metadata: { annotations: { look: 'again' } } });
    await environment.advance('1h');
    expect(await read()).toBeDefined(); // there may be a bucket
    await client.patch(Bucket, key, { metadata: { annotations: { [createStarted]: null } } });
    await environment.advance('5s');
    expect(await read()).toBeUndefined();
    await create();
    expect(api.created).toBe(1);
    expect(await conditions()).toEqual(good);
  });

  test('is created after refusals, which made nothing', async () => {
    const external = new BucketsWithIds(api);
    const make = external.create.bind(external);
    let refusals = 0;
    let isFull = true;
    external.create = async (object, context) => {
      if (!isFull) return make(object, context);
      throw new NotCreatedError(`quota exceeded ${(refusals += 1)} times`);
    };
    await startWithIds({ external });
    await create();
    await environment.advance('55s');
    expect(await conditions()).toEqual([
      `Synced=False ReconcileError create failed: quota exceeded ${refusals} times`,
      'Ready=False Creating the external resource does not exist yet',
    ]);
    expect(refusals).toBeGreaterThan(3);
    expect(refusals).toBeLessThanOrEqual(7);
    isFull = false;
    await environment.advance('2m');
    expect(await conditions()).toEqual(good);
    expect(api.created).toBe(1);
    expect(Object.keys(await annotations()).toSorted()).toEqual([
      'runtime.ots/external-created',
      'runtime.ots/external-id',
    ]);
  });

  test('keeps its ID while the API server cannot store it', async () => {
    await startWithIds();
    const slow = api.disturb('create', { latency: '10s' });
    await create();
    const down = environment.faults.add({ verbs: ['patch'], user: operator }, { disconnect: 'before' });
    await environment.advance('5m');
    expect(slow.hits).toBe(1);
    expect(await annotations()).not.toHaveProperty([idAnnotation]);
    down.remove();
    await environment.advance('10m');
    expect(await conditions()).toEqual(good);
    expect(api.created).toBe(1);
  });

  test('is stored by a manager that stops meanwhile', async () => {
    const manager = await startWithIds();
    api.disturb('create', { latency: '10s' });
    await create();
    const stopped = manager.stop();
    await environment.advance('1m');
    await stopped;
    expect(await annotations()).toMatchObject({ [idAnnotation]: 'id-1' });
    await startWithIds();
    await environment.advance('5s');
    expect(await conditions()).toEqual(good);
    expect(api.created).toBe(1);
  });

  test('that its API does not show at once is not created again', async () => {
    const external = new BucketsWithIds(api);
    const observe = external.observe.bind(external);
    const visibleFrom = environment.config.clock!.epoch() + 20_000;
    external.observe = async (object, context) =>
      environment.config.clock!.epoch() < visibleFrom ? undefined : observe(object, context);
    await startWithIds({ external });
    await create();
    expect(await conditions()).toEqual([
      'Synced=False Creating the external resource does not exist yet',
      'Ready=False Creating the external resource does not exist yet',
    ]);
    await environment.advance('1m');
    expect(await conditions()).toEqual(good);
    expect(api.created).toBe(1);
  });

  test('that its API does not show at once is deleted all the same', async () => {
    const external = new BucketsWithIds(api);
    const observe = external.observe.bind(external);
    const visibleFrom = environment.config.clock!.epoch() + 20_000;
    external.observe = async (object, context) =>
      environment.config.clock!.epoch() < visibleFrom ? undefined : observe(object, context);
    await startWithIds({ external });
    await create();
    await client.delete(Bucket, key);
    await environment.advance('10s');
    expect(await read()).toBeDefined();
    await environment.advance('1m');
    expect(await read()).toBeUndefined();
    expect(api.items.size).toBe(0);
  });

  test('that was deleted by hand is not taken for the result of the next creation, which was lost', async () => {
    await startWithIds({ pollInterval: '2m' });
    await create();
    api.items.clear();
    api.disturb('create', { disconnect: 'after' });
    await environment.advance('10m');
    expect((await conditions())[0]).toContain('Synced=False CreateUnknown');
    expect(api.created).toBe(2);
  });

  test('that was deleted by hand is created again, under another ID', async () => {
    await startWithIds({ pollInterval: '2m' });
    await create();
    api.items.clear();
    await environment.advance('3m');
    expect((await annotations())[idAnnotation]).toBe('id-2');
    expect(await conditions()).toEqual(good);
  });

  test('cannot do without the ID', async () => {
    const external = new BucketsWithIds(api);
    external.create = async () => undefined as never;
    await startWithIds({ external });
    await create();
    expect((await conditions())[0]).toContain('Synced=False');
  });
});
