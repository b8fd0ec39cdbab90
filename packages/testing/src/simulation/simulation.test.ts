import { setTimeout as delay } from 'node:timers/promises';
import { Lease } from 'ots-kubernetes/coordination/v1';
import { ConfigMap, Secret } from 'ots-kubernetes/core/v1';
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
    else if (name === 'virtual')
      await new Promise<void>((resolve) => environment.config.clock!.setTimeout(resolve, 60_000));
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
    return { requeueAfter: '5m' };
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
  await environment.advance('20m');
  expect(await client.get(Lease, { name: 'test', namespace: 'default' })).toBeDefined();
  return environment.trace.map((write) => ({ ...write }));
}

test('two runs with one seed write the same, and other seeds deliver in another order', async () => {
  const first = await scenario(7);
  expect(first.length).toBeGreaterThan(100);
  expect(await scenario(7)).toStrictEqual(first);
  expect(await scenario(8)).not.toStrictEqual(first);
}, 30_000);

test('an environment with real time refuses to move it', async () => {
  await using environment = await TestEnvironment.start({ env: {} });
  await expect(environment.advance('1h')).rejects.toThrow('has real time');
  expect(environment.config.exchange).toBeUndefined();
});
