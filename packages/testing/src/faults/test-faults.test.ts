import { ConfigMap } from 'ots-kubernetes/core/v1';
import { Client, ControllerBuilder, Manager, type Request, createLogger } from 'ots-runtime';
import { expect, test } from 'vitest';
import { TestEnvironment } from '../environment/test-environment.ts';
import { seededRandom } from '../simulation/seeded-random.ts';
import type { FaultedRequests } from './faulted-requests.ts';
import type { TestFaultEffect } from './test-fault-effect.ts';

const embedded = { env: {}, controllers: false } as const;

test('a fault selects by verb, resource, group, subresource, name, namespace and user', async () => {
  await using environment = await TestEnvironment.start(embedded);
  await using client = new Client(environment.config, { fieldOwner: 'test' });
  const key = { name: 'a', namespace: 'default' };
  await client.create(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata: key });
  const changes = async (requests: FaultedRequests) => {
    using fault = environment.faults.add(requests, { answer: 'InternalError' });
    await client.get(ConfigMap, key).catch(() => {});
    return fault.hits > 0;
  };
  for (const yes of [
    {},
    { verbs: ['get'] },
    { resource: 'configmaps' },
    { resource: 'configmaps.' },
    key,
    { user: 'admin' },
  ] satisfies FaultedRequests[])
    expect([yes, await changes(yes)]).toEqual([yes, true]);
  for (const no of [
    { verbs: ['list', 'watch'] },
    { resource: 'secrets' },
    { resource: 'deployments.apps' },
    { resource: 'deployments/status.apps' },
    { name: 'b' },
    { namespace: 'other' },
    { user: 'jane' },
  ] satisfies FaultedRequests[])
    expect([no, await changes(no)]).toEqual([no, false]);
});

test.each<[unknown, unknown, string]>([
  [
    { kind: 'Pod' },
    { latency: 1 },
    '"kind" is not a field of the requests of a fault. Its fields are verbs,',
  ],
  [{ resource: 'deploymentz' }, { latency: 1 }, 'serves no resource "deploymentz"'],
  [{ resource: 'deployments.example.com' }, { latency: 1 }, 'serves no resource'],
  [{ resource: 'configmaps/status' }, { latency: 1 }, 'serves no resource'],
  [{ resource: 'deployments/status/more' }, { latency: 1 }, 'serves no resource'],
  [{ resource: '' }, { latency: 1 }, 'serves no resource'],
  [{ verbs: ['read'] }, { latency: 1 }, '"read" is not a verb. Use some of get, list'],
  [{ verbs: [] }, { latency: 1 }, 'is not a verb'],
  [{ times: 0 }, { latency: 1 }, 'Set times to a positive integer'],
  [{ times: 1.5 }, { latency: 1 }, 'Set times to a positive integer'],
  [{ verbs: ['create'], name: 'a' }, { latency: 1 }, 'the verb create has no name in its path'],
  [{ verbs: ['patch', 'deletecollection'], name: 'a' }, { latency: 1 }, 'Leave out name'],
  [{}, {}, 'is not a fault. Use one of answer, timeout, disconnect, latency, stale, watch'],
  [{}, { answer: 'Teapot' }, 'The answer is one of Conflict, Expired'],
  [{}, { answer: 'Conflict', stale: true }, 'is not a fault'],
  [{}, { answer: 'Conflict', retryAfterSeconds: 1 }, 'Use retryAfterSeconds with ServiceUnavailable or Too'],
  [{}, { answer: 'TooManyRequests', retryAfterSeconds: 0.5 }, 'whole seconds'],
  [{}, { answer: 'TooManyRequests', retryAfterSeconds: -1 }, 'whole seconds'],
  [{}, { answer: 'TooManyRequests', seconds: 1 }, '"seconds" is not a field of a fault with answer'],
  [{}, { timeout: 'never' }, "Use 'before' or 'after'"],
  [{}, { timeout: 'after', seconds: 1 }, 'Its only field is timeout'],
  [{}, { stale: false }, 'leave out the fault'],
  [{}, { watch: 'delay' }, "such as { watch: 'delay', by: '1s' }"],
  [{}, { watch: 'drop', by: '1s' }, 'is not a fault'],
  [{}, { watch: 'close' }, 'The watch is one of drop, half-open'],
  [{}, { latency: 'soon' }, 'is not a duration'],
  [{}, { watch: 'delay', by: -1 }, 'is not a duration'],
  [{ verbs: ['get'] }, { watch: 'drop' }, 'verb get. Select watch'],
  [{ verbs: ['list', 'create'] }, { stale: true }, 'verb create. Select get, list'],
  [{ verbs: ['create'] }, { answer: 'Conflict' }, 'Select update, patch, delete'],
])('%j with %j is an error that says what to do', async (requests, effect, message) => {
  await using environment = await TestEnvironment.start(embedded);
  const add = () => environment.faults.add(requests as FaultedRequests, effect as TestFaultEffect);
  expect(add).toThrow(message);
  expect(environment.faults.unused()).toEqual([]);
});

test('a fault without verbs changes the requests that it can change', async () => {
  await using environment = await TestEnvironment.start(embedded);
  await using client = new Client(environment.config, { fieldOwner: 'test' });
  const { faults } = environment;
  const conflict = faults.add({ resource: 'configmaps' }, { answer: 'Conflict' });
  const evicted = faults.add({ verbs: ['create'], resource: 'pods/eviction', name: 'a' }, { latency: 1 });
  const created = await client.create(ConfigMap, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a', namespace: 'default' },
  });
  await expect(client.update(ConfigMap, created)).rejects.toThrow('the object has been modified');
  expect([conflict.hits, evicted.hits]).toEqual([1, 0]);
});

test('faults that changed nothing are known, also when they are removed', async () => {
  await using environment = await TestEnvironment.start(embedded);
  await using client = new Client(environment.config, { fieldOwner: 'test' });
  const { faults } = environment;
  const secrets = { verbs: ['list'], resource: 'secrets', user: { user: 'jane' } } as const;
  faults.add(secrets, { answer: 'InternalError' }).remove();
  using list = faults.add({ verbs: ['list'], user: { user: 'admin' } }, { latency: 1 });
  expect(faults.unused()).toEqual([
    { requests: secrets, effect: { answer: 'InternalError' } },
    { requests: { verbs: ['list'], user: { user: 'admin' } }, effect: { latency: 1 } },
  ]);
  await client.list(ConfigMap);
  expect(list.hits).toBe(1);
  expect(faults.unused()).toEqual([{ requests: secrets, effect: { answer: 'InternalError' } }]);
  faults.clear();
  expect(faults.unused()).toEqual([]);
});

/** Keeps a copy of every ConfigMap that is labeled `copied`. */
class Copier {
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  async reconcile({ name, namespace = '' }: Request): Promise<void> {
    if (name.startsWith('copy-')) return;
    const copy = { name: `copy-${name}`, namespace };
    const source = await this.#client.get(ConfigMap, { name, namespace });
    const known = await this.#client.get(ConfigMap, copy);
    if (!source) {
      if (known) await this.#client.delete(ConfigMap, copy);
    } else if (!known) {
      const metadata = copy;
      await this.#client.create(ConfigMap, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata,
        data: source.data ?? {},
      });
    } else if (known.data?.['n'] !== source.data?.['n']) {
      await this.#client.update(ConfigMap, { ...known, data: source.data ?? {} });
    }
  }
}

const faults: readonly [FaultedRequests, TestFaultEffect][] = [
  [{ times: 2 }, { answer: 'Conflict' }],
  [{ times: 3 }, { answer: 'TooManyRequests' }],
  [{ times: 2 }, { answer: 'ServiceUnavailable' }],
  [{ verbs: ['create', 'update', 'delete'], times: 2 }, { answer: 'InternalError' }],
  [{ verbs: ['watch'], times: 1 }, { answer: 'Expired' }],
  [{ verbs: ['create', 'update', 'delete'], times: 1 }, { timeout: 'before' }],
  [{ verbs: ['create', 'update', 'delete'], times: 1 }, { timeout: 'after' }],
  [{ verbs: ['create', 'update', 'delete'], times: 1 }, { disconnect: 'after' }],
  [{ times: 2 }, { disconnect: 'before' }],
  [{ times: 5 }, { latency: '200ms' }],
  [{}, { stale: true }],
  [{ times: 1 }, { watch: 'drop' }],
  [{ times: 1 }, { watch: 'expire' }],
  [{ times: 1 }, { watch: 'half-open' }],
  [{}, { watch: 'delay', by: '5s' }],
  [{}, { watch: 'reorder', by: '1s' }],
];

test.each([1, 2, 3, 4])('a reconciler keeps copies in sync through random faults: seed %i', async (seed) => {
  await using environment = await TestEnvironment.start({ ...embedded, clock: 'virtual', seed });
  const manager = await Manager.create({
    connection: await environment.as({ user: 'operator', groups: ['system:masters'] }),
    logger: createLogger({ level: 'silent' }),
  });
  new ControllerBuilder(manager).for(ConfigMap).complete(new Copier(manager.client));
  manager.start().catch(() => {});
  await environment.settle();
  await manager.ready;
  await using client = new Client(environment.config, { fieldOwner: 'test' });
  const random = seededRandom(seed);
  const pick = (count: number) => Math.floor(random() * count);
  const wanted = new Map<string, string>();
  let hits = 0;
  for (let round = 0; round < 20; round += 1) {
    const [requests, effect] = faults[pick(faults.length)]!;
    const fault = environment.faults.add({ ...requests, user: 'operator' }, effect);
    if (pick(8) === 0) environment.faults.compact();
    const name = `map-${pick(4)}`;
    const metadata = { name, namespace: 'default' };
    if (wanted.has(name) && pick(3) === 0) {
      await client.delete(ConfigMap, metadata);
      wanted.delete(name);
    } else {
      wanted.set(name, `${round}`);
      await client.apply(ConfigMap, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata,
        data: { n: `${round}` },
      });
    }
    await environment.advance(pick(30_000));
    hits += fault.hits;
    if (pick(2) === 0) fault.remove();
  }
  environment.faults.clear();
  await environment.advance('10m');
  const { items: maps } = await client.list(ConfigMap, { namespace: 'default' });
  const found = new Map(maps.map(({ metadata, data }) => [metadata.name, data?.['n']]));
  const expected = new Map(
    [...wanted].flatMap(([name, n]) => [
      [name, n],
      [`copy-${name}`, n],
    ]),
  );
  expect(found).toEqual(expected);
  expect(hits).toBeGreaterThan(5);
  const stopped = manager.stop();
  await environment.advance('1m');
  await stopped;
});
