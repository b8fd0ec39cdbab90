import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { sleep } from 'ots-apimachinery/clock/sleep';
import { Lease } from 'ots-kubernetes/coordination/v1';
import { ConfigMap, Namespace, Secret } from 'ots-kubernetes/core/v1';
import { Client, ControllerBuilder, Manager, createLogger, type Reconciler } from 'ots-runtime';
import { expect, test } from 'vitest';
import { TestEnvironment } from '../environment/test-environment.ts';
import { Simulation } from './simulation.ts';

const logger = createLogger({ level: 'silent' });
const virtual = { clock: 'virtual', env: {} } as const;

function configMap(name: string): ConfigMap {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' } };
}

/** Runs a controller of the ConfigMaps in `default` until it is disposed of. */
async function running(
  environment: TestEnvironment,
  reconcile: (client: Client) => Reconciler['reconcile'],
  more: Partial<Parameters<typeof Manager.create>[0]> = {},
): Promise<AsyncDisposable & { manager: Manager }> {
  const manager = await Manager.create({ connection: environment.config, logger, ...more });
  new ControllerBuilder(manager)
    .named('test')
    .for(ConfigMap)
    .complete({ reconcile: reconcile(manager.client) });
  const ended = manager.start();
  await manager.ready;
  return {
    manager,
    [Symbol.asyncDispose]: async () => {
      await manager.stop();
      await ended;
    },
  };
}

test('time stands still until it is moved, and then what is due happens in order', async () => {
  await using environment = await TestEnvironment.start(virtual);
  const times: number[] = [];
  await using client = new Client(environment.config);
  await using _ = await running(environment, () => ({ name }) => {
    if (name === 'a') times.push(environment.config.clock!.epoch());
    return Promise.resolve({ requeueAfter: '10m' });
  });
  const { metadata } = await client.create(ConfigMap, configMap('a'));
  await environment.settle();
  expect(times).toStrictEqual([Date.parse(metadata.creationTimestamp!)]);
  await environment.advance('1h');
  expect(times.map((time) => (time - times[0]!) / 60_000)).toStrictEqual([0, 10, 20, 30, 40, 50, 60]);
});

test('settle waits for a reconcile that waits for real time, but not for one that waits for the clock', async () => {
  await using environment = await TestEnvironment.start(virtual);
  await using client = new Client(environment.config);
  const ended: string[] = [];
  await using _ = await running(environment, () => async ({ name }) => {
    if (name === 'real') await delay(100);
    else if (name === 'virtual') await sleep(environment.config.clock!, 60_000);
    else return;
    ended.push(name);
  });
  await client.create(ConfigMap, configMap('virtual'));
  await environment.settle();
  expect(ended).toStrictEqual([]);
  await environment.advance('1m');
  expect(ended).toStrictEqual(['virtual']);
  await client.create(ConfigMap, configMap('real'));
  await environment.settle();
  expect(ended).toStrictEqual(['virtual', 'real']);
});

test('time passes while a manager that stops waits for it', async () => {
  await using environment = await TestEnvironment.start(virtual);
  await using client = new Client(environment.config);
  const clock = environment.config.clock!;
  const ended: string[] = [];
  await using operator = await running(environment, () => async ({ name }) => {
    if (name !== 'app') return undefined;
    await sleep(clock, 20_000);
    ended.push(name);
    return { requeueAfter: '1s' };
  });
  await client.create(ConfigMap, configMap('app'));
  await environment.settle();
  const before = clock.now();
  await operator.manager.stop();
  expect(ended).toStrictEqual(['app']);
  const passed = clock.now() - before;
  expect(passed).toBeGreaterThanOrEqual(20_000);
  expect(passed).toBeLessThan(3_600_000);
});

test('no time passes while a manager and a cluster stop that need none', async () => {
  const environment = await TestEnvironment.start({ ...virtual, workloads: true });
  const clock = environment.config.clock!;
  const operator = await running(environment, () => () => Promise.resolve({ requeueAfter: '1s' }));
  await environment.advance('10s');
  const before = clock.now();
  await operator[Symbol.asyncDispose]();
  await environment.stop();
  expect(clock.now()).toBe(before);
});

test('time passes until a manager gives up what is stuck', async () => {
  await using environment = await TestEnvironment.start(virtual);
  await using client = new Client(environment.config);
  const manager = await Manager.create({ connection: environment.config, logger });
  let begin!: () => void;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  let release!: () => void;
  const held = new Promise<void>((resolve) => (release = resolve));
  new ControllerBuilder(manager)
    .named('stuck')
    .for(ConfigMap)
    .complete({
      reconcile: async () => {
        begin();
        await held;
      },
    });
  const ended = manager.start();
  await manager.ready;
  await client.create(ConfigMap, configMap('app'));
  await begun;
  await Promise.all([
    manager.stop(),
    expect(ended).rejects.toThrow('did not stop within 30 s; still running: stuck'),
  ]);
  // Controllers are known to debuggers, and so to tests in this process, until their last reconcile ends.
  release();
});

test('a manager that its own operator stops moves no time', async () => {
  await using environment = await TestEnvironment.start(virtual);
  await using client = new Client(environment.config);
  const clock = environment.config.clock!;
  const ended: string[] = [];
  await using operator = await running(environment, () => async ({ name }) => {
    if (name !== 'app') return;
    void operator.manager.stop();
    await sleep(clock, 20_000);
    ended.push(name);
  });
  await client.create(ConfigMap, configMap('app'));
  const before = clock.now();
  await environment.advance('10s');
  expect(clock.now() - before).toBe(10_000);
  expect(ended).toStrictEqual([]);
  await environment.advance('10s');
  expect(ended).toStrictEqual(['app']);
});

test('what keeps the cluster busy is in the error', async () => {
  const simulation = new Simulation(1);
  const { track } = simulation.connectionTo({ exchange: () => Promise.reject(new Error('no server')) });
  let release = () => {};
  const held = track!('the reconcile of default/held', () => new Promise<void>((end) => (release = end)));
  await expect(simulation.settle(50)).rejects.toThrow('the reconcile of default/held');
  release();
  await held;
  await simulation.settle(50);
});

test('a reconciler that never stops to write is in the error', { timeout: 60_000 }, async () => {
  const exchange = () => {
    const body = Readable.from([Buffer.from('{"metadata":{"resourceVersion":"1"}}')]);
    return Promise.resolve({ status: 200, headers: {}, body });
  };
  const simulation = new Simulation(1);
  const connection = simulation.connectionTo({ exchange });
  const stopping = new AbortController();
  const { signal } = stopping;
  const write = async () => {
    const path = '/api/v1/namespaces/default/configmaps/app';
    while (!signal.aborted)
      await connection.exchange!({ method: 'PUT', path, headers: {}, body: '{}', signal });
  };
  const loop = write().catch((error: unknown) => expect(error).toBe(signal.reason));
  await expect(simulation.settle()).rejects.toThrow(
    'The cluster does not become quiet: 5000 times at the same time: update configmaps default/app of admin',
  );
  stopping.abort();
  await loop;
});

/** A leader that keeps a Secret for each ConfigMap and counts how often it looked, while another one changes the ConfigMaps. */
async function scenario(seed: number): Promise<object[]> {
  await using environment = await TestEnvironment.start({ ...virtual, seed });
  await using client = new Client(environment.config);
  const leaderElection = { id: 'test', namespace: 'default' };
  const own = new Client(environment.config);
  // It reads from the server and writes whenever time has moved, so conflicts with the test happen.
  const keep: Reconciler['reconcile'] = async ({ name, namespace = '' }) => {
    const found = name.startsWith('app') ? await own.get(ConfigMap, { name, namespace }) : undefined;
    if (!found) return {};
    if (!(await own.get(Secret, { name, namespace })))
      await own.create(Secret, { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace } });
    const at = `${environment.config.clock!.epoch()}`;
    if (found.data?.['at'] !== at) await own.update(ConfigMap, { ...found, data: { at } });
    return { requeueAfter: '1m' };
  };
  const options = { leaderElection, userAgent: 'keeper' };
  await using first = await running(environment, () => keep, options);
  await first.manager.elected;
  await Promise.all(
    ['app-a', 'app-b', 'app-c', 'app-d'].map((name) => client.create(ConfigMap, configMap(name))),
  );
  await environment.settle();
  await Promise.all(
    ['app-a', 'app-b', 'app-c'].map((name) =>
      client.patch(ConfigMap, { name, namespace: 'default' }, { metadata: { labels: { touched: 'yes' } } }),
    ),
  );
  await environment.advance('3m');
  expect(await client.get(Lease, { name: 'test', namespace: 'default' })).toBeDefined();
  return environment.trace.map((write) => ({ ...write }));
}

test('two runs with one seed write the same, and other seeds deliver in another order', async () => {
  const first = await scenario(7);
  expect(first.length).toBeGreaterThan(100);
  expect(await scenario(7)).toStrictEqual(first);
  expect(await scenario(8)).not.toStrictEqual(first);
}, 60_000);

test('an environment with real time refuses to move it', async () => {
  await using environment = await TestEnvironment.start({ env: {} });
  await expect(environment.advance('1h')).rejects.toThrow('has real time');
  expect(environment.config.exchange).toBeUndefined();
});

test("the trace has the writes of the server's own controllers", async () => {
  await using environment = await TestEnvironment.start(virtual);
  await using client = new Client(environment.config);
  const owner = await client.create(ConfigMap, configMap('owner'));
  const { uid } = owner.metadata;
  const owned = configMap('owned');
  owned.metadata.ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: uid! }];
  await client.create(ConfigMap, owned);
  await client.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'short' } });
  await client.create(ConfigMap, { ...configMap('left'), metadata: { name: 'left', namespace: 'short' } });
  await environment.settle();
  const before = environment.trace.length;
  await client.delete(ConfigMap, { name: 'owner', namespace: 'default' });
  await environment.settle();
  await client.delete(Namespace, { name: 'short' });
  await environment.settle();
  const shown = environment.trace
    .slice(before)
    .map(({ user, verb, resource, namespace, name }) => `${user} ${verb} ${resource} ${namespace}/${name}`);
  const [collector, namespaces] = ['generic-garbage-collector', 'namespace-controller'].map(
    (name) => `system:serviceaccount:kube-system:${name}`,
  );
  expect(shown).toStrictEqual([
    'admin delete configmaps default/owner',
    `${collector} delete configmaps default/owned`,
    'admin delete namespaces /short',
    `${namespaces} delete configmaps short/left`,
    `${namespaces} update namespaces/status /short`,
    `${namespaces} update namespaces/finalize /short`,
  ]);
  const versions = environment.trace.slice(before).map(({ resourceVersion }) => Number(resourceVersion));
  expect(versions.filter((version) => version > 0)).toStrictEqual(
    versions.filter((version) => version > 0).toSorted((a, b) => a - b),
  );
});

test('a client that leaves a watch does not wait for what the server has sent before its end', async () => {
  const sent = Readable.from(['{"type":"ERROR","object":{}}\n']);
  const simulation = new Simulation(1, ([first]) => (first!.kind === 'event' ? undefined : first));
  const { exchange } = simulation.connectionTo({
    exchange: async () => ({ status: 200, headers: {}, body: sent }),
  });
  const leaving = new AbortController();
  const watch = { method: 'GET', path: '/api/v1/pods?watch=true', headers: {}, body: null };
  const response = exchange!({ ...watch, signal: leaving.signal });
  await simulation.settle();
  const reading = text((await response).body);
  await simulation.settle();
  leaving.abort(new Error('the client has left'));
  await expect(reading).rejects.toThrow('the client has left');
});
