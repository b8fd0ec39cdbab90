import { ConfigMap } from 'ots-kubernetes/core/v1';
import { Client, ControllerBuilder, Manager, createLogger } from 'ots-runtime';
import { expect, test } from 'vitest';
import { TestEnvironment } from '../environment/test-environment.ts';
import type { FaultedRequests } from './faulted-requests.ts';
import type { TestFaultEffect } from './test-fault-effect.ts';

const namespace = 'default';
const operator = { user: 'operator', groups: ['system:masters'] };
const key = (name: string) => ({ name, namespace });

/** A manager that keeps `copy-<name>` of each `source-<name>`, and a handler that notes what it learns. */
class Copying implements AsyncDisposable {
  readonly environment: TestEnvironment;
  readonly client: Client;
  readonly manager: Manager;
  /** The data of each object, as the handler knows it. */
  readonly handled = new Map<string, string | undefined>();

  static async start(seed: number): Promise<Copying> {
    const environment = await TestEnvironment.start({ env: {}, clock: 'virtual', seed });
    const connection = await environment.as(operator);
    const logger = createLogger({ level: 'silent' });
    const manager = await Manager.create({ connection, logger, cache: { namespaces: [namespace] } });
    const copying = new Copying(environment, manager);
    manager.start().catch(() => {});
    await manager.ready;
    return copying;
  }

  private constructor(environment: TestEnvironment, manager: Manager) {
    this.environment = environment;
    this.manager = manager;
    this.client = new Client(environment.config, { fieldOwner: 'test' });
    const { client } = manager;
    new ControllerBuilder(manager).for(ConfigMap).complete({
      async reconcile({ name }) {
        if (!name.startsWith('source-')) return;
        const copy = key(name.replace('source', 'copy'));
        const source = await client.get(ConfigMap, key(name));
        const known = await client.get(ConfigMap, copy);
        const data = { ...source?.data };
        if (!source) {
          if (known) await client.delete(ConfigMap, copy);
        } else if (!known)
          await client.create(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata: copy, data });
        else if (known.data?.['n'] !== data['n']) await client.update(ConfigMap, { ...known, data });
      },
    });
    manager.cache.informer(ConfigMap).addHandler({
      added: ({ metadata, data }) => void this.handled.set(metadata.name!, data?.['n']),
      updated: (_, { metadata, data }) => void this.handled.set(metadata.name!, data?.['n']),
      deleted: ({ metadata }) => void this.handled.delete(metadata.name!),
    });
  }

  async write(name: string, n: string): Promise<void> {
    const metadata = key(`source-${name}`);
    await this.client.apply(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { n } });
  }

  /** The data of all objects by name, as the server, the cache and the handler know it. */
  async states(): Promise<Record<string, string | undefined>[]> {
    const { items } = await this.client.list(ConfigMap, { namespace });
    const cached = this.manager.cache.list(ConfigMap, { namespace });
    const known = [items, cached].map((objects) =>
      Object.fromEntries([...objects].map(({ metadata, data }) => [metadata.name!, data?.['n']])),
    );
    return [...known, Object.fromEntries(this.handled)];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const stopped = this.manager.stop();
    await this.environment.advance('1m');
    await stopped;
    await this.client.close();
    await this.environment.stop();
  }
}

/** What the server, the cache and the handler must all know. */
const threeTimes = <State>(state: State): State[] => [state, state, state];

const writes = ['create', 'update', 'delete'] as const;
const watches = { verbs: ['watch'] } as const;

test.each<[FaultedRequests, TestFaultEffect]>([
  [{ times: 1 }, { answer: 'Conflict' }],
  [{ verbs: writes, times: 2 }, { answer: 'TooManyRequests' }],
  [
    { verbs: writes, times: 2 },
    { answer: 'TooManyRequests', retryAfterSeconds: 7 },
  ],
  [{ verbs: writes, times: 2 }, { answer: 'InternalError' }],
  [{ verbs: writes, times: 2 }, { answer: 'ServiceUnavailable' }],
  [
    { verbs: writes, times: 2 },
    { answer: 'ServiceUnavailable', retryAfterSeconds: 3 },
  ],
  [{ verbs: writes, times: 2 }, { answer: 'Timeout' }],
  [{ verbs: writes, times: 2 }, { timeout: 'before' }],
  [{ verbs: writes, times: 2 }, { timeout: 'after' }],
  [{ verbs: writes, times: 2 }, { disconnect: 'before' }],
  [{ verbs: writes, times: 2 }, { disconnect: 'after' }],
  [{ verbs: writes, times: 3 }, { latency: '5s' }],
  [{ ...watches, times: 2 }, { watch: 'drop' }],
  [{ ...watches, times: 2 }, { watch: 'half-open' }],
  [{ ...watches, times: 2 }, { watch: 'expire' }],
  [watches, { watch: 'delay', by: '20s' }],
  [watches, { watch: 'reorder', by: '5s' }],
])('a manager recovers from %j: %j, and no event is lost', async (requests, effect) => {
  await using copying = await Copying.start(1);
  const { environment } = copying;
  for (const name of ['a', 'b', 'c']) await copying.write(name, '1');
  await environment.settle();
  const fault = environment.faults.add({ resource: 'configmaps', user: operator, ...requests }, effect);
  await copying.write('a', '2');
  await environment.advance('1s');
  await copying.write('a', '3');
  await copying.client.delete(ConfigMap, key('source-b'));
  await copying.write('d', '1');
  await environment.advance('20m');
  expect(await copying.states()).toEqual(
    threeTimes({
      'source-a': '3',
      'source-c': '1',
      'source-d': '1',
      'copy-a': '3',
      'copy-c': '1',
      'copy-d': '1',
    }),
  );
  expect(fault.hits).toBeGreaterThan(0);
  fault.remove();
  await copying.write('c', '4');
  await environment.advance('5m');
  expect(await copying.states()).toMatchObject(threeTimes({ 'source-c': '4', 'copy-c': '4' }));
});

test.each(['lists', 'compaction', 'restart'] as const)(
  'a manager recovers when its watches cannot resume: %s',
  async (what) => {
    await using copying = await Copying.start(2);
    const { environment } = copying;
    await copying.write('a', '1');
    await environment.settle();
    // It must list again, and the first lists are refused.
    if (what === 'lists')
      environment.faults.add({ verbs: ['list'], user: operator, times: 2 }, { answer: 'Expired' });
    for (let round = 2; round < 5; round += 1) {
      // Events that have not arrived are gone.
      using held = environment.faults.add({ ...watches, user: operator }, { watch: 'half-open' });
      await copying.write('a', `${round}`);
      await copying.write('b', `${round}`);
      await environment.advance('1s');
      if (what === 'restart') await environment.restart();
      else environment.faults.compact();
      expect(held.hits).toBeGreaterThan(0);
      held.remove();
      await environment.advance('10m');
      expect(await copying.states()).toEqual(
        threeTimes({
          'source-a': `${round}`,
          'copy-a': `${round}`,
          'source-b': `${round}`,
          'copy-b': `${round}`,
        }),
      );
    }
    expect(environment.faults.unused()).toEqual([]);
  },
);

test('a stale list does not reach a cache, which asks for the newest state', async () => {
  await using copying = await Copying.start(3);
  const { environment, client } = copying;
  await copying.write('a', '1');
  await environment.settle();
  const stale = environment.faults.add({ resource: 'configmaps' }, { stale: true });
  await copying.write('a', '2');
  // A cache that lists again must not go back to before its last list.
  environment.faults.add({ ...watches, user: operator, times: 1 }, { watch: 'expire' });
  await environment.advance('1m');
  expect(await copying.states()).toEqual(threeTimes({ 'source-a': '2', 'copy-a': '2' }));
  const cached = await client.raw({ path: '/api/v1/namespaces/default/configmaps?resourceVersion=0' });
  expect(JSON.stringify(cached)).toContain('"n":"1"');
  expect(stale.hits).toBeGreaterThan(0);
});
