import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { TestEnvironment } from 'ots-testing';
import { Lease } from 'ots-kubernetes/coordination/v1';
import { ConfigMap } from 'ots-kubernetes/core/v1';
import { Event } from 'ots-kubernetes/events/v1';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { apiServerFixture } from '../../test/api-server-fixture.ts';
import { SettableClusters } from '../../test/settable-clusters.ts';
import { Thing, thing, thingCrds } from '../../test/thing.ts';
import { compositeController } from '../composite/composite-controller.ts';
import { desiredChild } from '../composite/desired-child.ts';
import { Client } from '../client/client.ts';
import { ControllerBuilder } from '../controller/controller-builder.ts';
import type { Request } from '../controller/reconciler.ts';
import { requestKey } from '../controller/request-key.ts';
import { kindSource } from '../controller/kind-source.ts';
import type { Manager } from '../manager/manager.ts';
import { keyOf } from '../objects/object-key.ts';
import { controllerReference } from '../objects/owner-references.ts';
import { reasonText } from '../reasons/reason-text.ts';
import { untilAborted } from '../signals/until-aborted.ts';
import { waitFor } from '../waiting/wait-for.ts';
import { isThorough } from '../../../../test/support/property-runs.ts';
import { Clusters } from './clusters.ts';

// The manager's own cluster is the embedded API server, or a real one when KUBEBUILDER_ASSETS is set.

const server = apiServerFixture(thingCrds);
const key = (name: string) => ({ name, namespace: 'default' });
const here = (name: string, size = 1): Thing => ({ ...thing(name, size), metadata: key(name) });

interface Other {
  environment: TestEnvironment;
  client: Client;
}

/** Another cluster, with the kind of the tests. */
async function otherCluster(crds = [thingCrds]): Promise<Other> {
  const environment = await TestEnvironment.start({ crds, env: {} });
  const client = new Client(environment.config);
  onTestFinished(async () => {
    await client.close();
    await environment.stop();
  });
  return { environment, client };
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

let namespace: string;
let manager: Manager;

beforeEach(async () => {
  namespace = await server.createNamespace();
  manager = await server.createManager(namespace);
});

async function start(): Promise<void> {
  manager.start().catch(() => {});
  await manager.ready;
}

/** Keeps a ConfigMap with the size of each Thing, in the Thing's cluster. */
function keepSizes(clusters: Clusters, requests: Request[] = []): void {
  new ControllerBuilder(clusters)
    .for(Thing)
    .owns(ConfigMap)
    .complete(async (request) => {
      requests.push(request);
      const { client } = clusters.get(request.cluster);
      const object = await client.get(Thing, request);
      if (!object) return;
      await client.apply(
        ConfigMap,
        {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { ...keyOf(object), ownerReferences: [controllerReference(object)] },
          data: { size: String(object.spec.size) },
        },
        { fieldOwner: 'test' },
      );
    });
}

const sizeIn = async ({ client }: Other, name: string): Promise<string | undefined> =>
  (await client.get(ConfigMap, key(name)))?.data?.['size'];

test('objects of the same name are reconciled in their clusters, and owned objects bring the cluster along', async () => {
  const [east, west] = [await otherCluster(), await otherCluster()];
  const clusters = new Clusters(manager, {
    provider: new SettableClusters({ east: east.environment.config, west: west.environment.config }),
  });
  const requests: Request[] = [];
  keepSizes(clusters, requests);
  await east.client.create(Thing, here('a', 1));
  await west.client.create(Thing, here('a', 2));
  await start();
  await manager.idle();
  expect(await sizeIn(east, 'a')).toBe('1');
  expect(await sizeIn(west, 'a')).toBe('2');
  expect(new Set(requests.map(requestKey))).toEqual(new Set(['east//default/a', 'west//default/a']));
  expect(clusters.names).toEqual(['east', 'west']);
  expect(clusters.problems()).toEqual([]);
  await west.client.delete(ConfigMap, key('a'));
  await manager.idle();
  expect(await sizeIn(west, 'a')).toBe('2');
  expect(requestKey(requests.at(-1)!)).toBe('west//default/a');
});

test('a request of the own cluster and a hub object reach their reconciler, whose reasons name the clusters', async () => {
  const east = await otherCluster();
  const clusters = new Clusters(manager, {
    provider: new SettableClusters({ east: east.environment.config }),
  });
  const seen: string[] = [];
  new ControllerBuilder(clusters)
    .named('hub')
    // Things of all clusters concern one object of the own cluster.
    .watches(Thing, () => [{ name: 'fleet', namespace, cluster: '' }])
    .watchesSource(
      kindSource(manager.cache, ConfigMap, ({ metadata }) => [{ name: metadata.name!, namespace }]),
    )
    .complete(async (request, { reasons }) => {
      const { apiReader } = clusters.get(request.cluster);
      const object = await apiReader.get(ConfigMap, request);
      seen.push(`${requestKey(request)} ${object?.metadata.name}: ${reasons.map(reasonText).join()}`);
    });
  await server.client.create(ConfigMap, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'fleet', namespace },
  });
  await start();
  await manager.idle();
  seen.length = 0;
  await east.client.create(Thing, here('a'));
  await manager.idle();
  expect(seen).toEqual([`${namespace}/fleet fleet: Thing default/a of east created`]);
});

test('clusters without the kind, without rights or without a server do not keep the others waiting', async () => {
  const [works, bare] = [await otherCluster(), await otherCluster([])];
  const provider = new SettableClusters({
    gone: { server: 'http://127.0.0.1:1' },
    bare: bare.environment.config,
    denied: await works.environment.as({ user: 'stranger' }),
    broken: new Error('the Secret has no kubeconfig'),
    malformed: { server: 'not a URL' },
    works: works.environment.config,
  });
  const clusters = new Clusters(manager, { provider });
  keepSizes(clusters);
  await works.client.create(Thing, here('a', 7));
  await start();
  await waitFor(async () => (await sizeIn(works, 'a')) === '7');
  await waitFor(() => clusters.problems().filter((problem) => problem.startsWith('gone:')).length === 2);
  expect(clusters.names).toEqual(['gone', 'bare', 'denied', 'works']);
  await waitFor(() => clusters.problems().some((problem) => /^denied: Thing.*forbidden/i.test(problem)));
  const problems = clusters.problems();
  expect(problems).toContain('broken: the Secret has no kubeconfig');
  expect(problems.filter((problem) => problem.startsWith('malformed: '))).toHaveLength(1);
  expect(problems.filter((problem) => problem.startsWith('works: '))).toEqual([]);
  await expect(manager.idle({ timeout: 200 })).rejects.toThrow('the cluster gone is not synced');
  expect(() => clusters.get('broken')).toThrow(expect.objectContaining({ code: 'CLUSTER_UNKNOWN' }));
  // The kind appears.
  await bare.environment.install(thingCrds);
  await bare.client.create(Thing, here('b', 8));
  await waitFor(async () => (await sizeIn(bare, 'b')) === '8', { timeout: '20s' });
});

test('a provider that gives a cluster no name stops the manager', async () => {
  const clusters = new Clusters(manager, { provider: new SettableClusters({ '': server.config }) });
  await expect(manager.start()).rejects.toThrow('A provider names a cluster with an empty text');
  expect(clusters.names).toEqual([]);
});

test('clusters join and leave while the manager runs: their requests are dropped, and their reconciles aborted', async () => {
  const [east, west] = [await otherCluster(), await otherCluster()];
  const provider = new SettableClusters({ west: west.environment.config });
  const clusters = new Clusters(manager, { provider });
  const seen: string[] = [];
  const aborted: unknown[] = [];
  new ControllerBuilder(clusters).for(Thing).complete(async (request, { signal }) => {
    seen.push(requestKey(request));
    if (request.name !== 'hangs') return;
    await new Promise((_, reject) =>
      signal.addEventListener('abort', () => {
        aborted.push(signal.reason);
        reject(signal.reason as Error);
      }),
    );
  });
  await start();
  await manager.idle();
  const join = { east: east.environment.config, west: west.environment.config };
  for (const name of ['hangs', 'waits-1', 'waits-2']) await east.client.create(Thing, here(name));
  provider.set(join);
  await waitFor(() => seen.length === 1);
  expect(seen).toEqual(['east//default/hangs']);
  provider.set({ west: west.environment.config });
  await waitFor(() => aborted.length === 1);
  expect(aborted[0]).toMatchObject({ code: 'CLUSTER_LEFT', message: 'The cluster "east" has left' });
  expect(clusters.names).toEqual(['west']);
  expect(() => clusters.get('east')).toThrow('There is no cluster "east"');
  await west.client.create(Thing, here('a'));
  await manager.idle();
  expect(seen).toEqual(['east//default/hangs', 'west//default/a']);
  // It comes back, with what has happened meanwhile.
  await east.client.delete(Thing, key('hangs'));
  await east.client.create(Thing, here('new'));
  provider.set(join);
  await waitFor(() => seen.length === 5);
  await manager.idle();
  expect(seen.slice(2).toSorted()).toEqual([
    'east//default/new',
    'east//default/waits-1',
    'east//default/waits-2',
  ]);
});

test('new credentials are used at once, and neither caches nor queues start again', async () => {
  const east = await otherCluster();
  const provider = new SettableClusters({ east: east.environment.config });
  const clusters = new Clusters(manager, { provider });
  const reasons: string[] = [];
  new ControllerBuilder(clusters)
    .for(Thing)
    .complete(async (_, context) => void reasons.push(...context.reasons.map(reasonText)));
  await east.client.create(Thing, here('a'));
  await start();
  await manager.idle();
  const before = clusters.get('east');
  const create = (name: string) =>
    clusters
      .get('east')
      .client.create(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata: key(name) });
  await create('first');
  provider.set({ east: await east.environment.as({ user: 'stranger' }) });
  await waitFor(() =>
    create('second').then(
      () => false,
      (error: unknown) => String(error).includes('stranger'),
    ),
  );
  expect(clusters.get('east')).toBe(before);
  // An open watch goes on, as when a token expires.
  await east.client.create(Thing, here('b'));
  await waitFor(() => reasons.length === 2);
  provider.set({ east: new Error('unreadable') });
  await waitFor(() => clusters.problems().includes('east: unreadable'));
  provider.set({ east: east.environment.config });
  await waitFor(() =>
    create('third').then(
      () => true,
      () => false,
    ),
  );
  expect(clusters.problems()).toEqual([]);
  await manager.idle();
  expect(reasons).toEqual([
    'Thing default/a of east existed at the start',
    'Thing default/b of east created',
  ]);
});

test('a name that leads to another server is another cluster', async () => {
  const [old, replacement] = [await otherCluster(), await otherCluster()];
  const provider = new SettableClusters({ east: old.environment.config });
  const clusters = new Clusters(manager, { provider });
  keepSizes(clusters);
  await old.client.create(Thing, here('a', 1));
  await replacement.client.create(Thing, here('b', 2));
  await start();
  await manager.idle();
  provider.set({ east: replacement.environment.config });
  await waitFor(async () => (await sizeIn(replacement, 'b')) === '2');
  expect(await sizeIn(replacement, 'a')).toBeUndefined();
  expect(
    clusters
      .get('east')
      .cache.list(Thing)
      .map(({ metadata }) => metadata.name),
  ).toEqual(['b']);
});

test('an outage and a restored backup of one cluster do not concern the others, and it catches up', async () => {
  const [east, west] = [await otherCluster(), await otherCluster()];
  const provider = new SettableClusters({ east: east.environment.config, west: west.environment.config });
  const clusters = new Clusters(manager, { provider });
  keepSizes(clusters);
  await east.client.create(Thing, here('a', 1));
  await start();
  await manager.idle();
  const backup = east.environment.snapshot();
  const outage = [
    east.environment.faults.add({}, { disconnect: 'before' }),
    east.environment.faults.add({ verbs: ['watch'] }, { watch: 'drop' }),
  ];
  await west.client.create(Thing, here('a', 5));
  await waitFor(async () => (await sizeIn(west, 'a')) === '5');
  for (const fault of outage) fault.remove();
  await east.client.patch(Thing, key('a'), { spec: { size: 2 } });
  await waitFor(async () => (await sizeIn(east, 'a')) === '2', { timeout: '20s' });
  await east.environment.restore(backup);
  await waitFor(async () => (await sizeIn(east, 'a')) === '1', { timeout: '20s' });
  await manager.idle();
  expect((await east.client.get(Thing, key('a')))?.spec.size).toBe(1);
  expect(await sizeIn(west, 'a')).toBe('5');
});

test('a composite controller keeps children in the cluster of their parent', async () => {
  const [east, west] = [await otherCluster(), await otherCluster()];
  const provider = new SettableClusters({ east: east.environment.config, west: west.environment.config });
  compositeController(new Clusters(manager, { provider }), {
    parent: Thing,
    children: [ConfigMap],
    sync: ({ metadata, spec }) => ({
      children: Array.from({ length: spec.size }, (_, index) =>
        desiredChild(ConfigMap, { metadata: { name: `${metadata.name}-${index}` }, data: {} }),
      ),
    }),
  });
  await east.client.create(Thing, here('a', 2));
  await west.client.create(Thing, here('a', 1));
  await start();
  await manager.idle();
  const labelSelector = 'runtime.ots/controller=thing';
  const children = async ({ client }: Other) => {
    const { items } = await client.list(ConfigMap, { namespace: 'default', labelSelector });
    return new Set(items.map(({ metadata }) => metadata.name));
  };
  expect(await children(east)).toEqual(new Set(['a-0', 'a-1']));
  expect(await children(west)).toEqual(new Set(['a-0']));
  await east.client.patch(Thing, key('a'), { spec: { size: 1 } });
  await manager.idle();
  expect(await children(east)).toEqual(new Set(['a-0']));
});

test('every object of twenty clusters is reconciled once', async () => {
  const east = await otherCluster();
  const names = Array.from({ length: 20 }, (_, index) => `c-${index}`);
  // One server with twenty names is enough: each has its own connections, caches and workers.
  const provider = new SettableClusters(
    Object.fromEntries(names.map((name) => [name, east.environment.config])),
  );
  const measured = await server.createManager(namespace, { metrics: { port: 0, secure: false } });
  const clusters = new Clusters(measured, { provider });
  const order: string[] = [];
  new ControllerBuilder(clusters).for(Thing).complete(async ({ cluster }) => void order.push(cluster!));
  for (let index = 0; index < 50; index += 1) await east.client.create(Thing, here(`thing-${index}`));
  measured.start().catch(() => {});
  await measured.ready;
  await measured.idle({ timeout: '60s' });
  expect(new Set(order)).toEqual(new Set(names));
  expect(order).toHaveLength(1000);
  const metrics = await measured.metrics!.registry.metrics();
  expect(metrics).toContain('other_clusters{state="synced"} 20');
  expect(metrics).toContain('other_clusters{state="waiting"} 0');
});

test('events are recorded in the cluster of their object', async () => {
  const east = await otherCluster();
  const clusters = new Clusters(manager, {
    provider: new SettableClusters({ east: east.environment.config }),
  });
  new ControllerBuilder(clusters).for(Thing).complete(async (request) => {
    const cluster = clusters.get(request.cluster);
    const object = await cluster.client.get(Thing, request);
    if (object)
      cluster.eventRecorder('thing').event(object, {
        type: 'Normal',
        reason: 'Seen',
        action: 'Look',
        note: 'it is here',
      });
  });
  await east.client.create(Thing, here('a'));
  await start();
  const noted = async () =>
    (await east.client.list(Event, { namespace: 'default' })).items.map(({ reason }) => reason);
  await waitFor(async () => (await noted()).length > 0);
  expect(await noted()).toEqual(['Seen']);
});

test('when the lease is lost, writes to other clusters are refused, too', async () => {
  const east = await otherCluster();
  const elected = await server.createManager(namespace, { leaderElection: { id: 'fence', namespace } });
  const provider = new SettableClusters({ east: east.environment.config });
  const clusters = new Clusters(elected, { provider });
  let isRunning = false;
  let late: Promise<unknown> | undefined;
  new ControllerBuilder(clusters).for(Thing).complete(async (request, context) => {
    const { client } = clusters.get(request.cluster);
    isRunning = true;
    await untilAborted(context.signal);
    // Not under the signal of the reconcile: only the fence is left.
    const { signal } = new AbortController();
    const object: ConfigMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: key('late') };
    late = client.create(ConfigMap, object, { signal }).catch((error: unknown) => error);
    await late;
  });
  await east.client.create(Thing, here('a'));
  const run = elected.start().catch((error: unknown) => error);
  await elected.elected;
  await waitFor(() => isRunning);
  const lease = {
    spec: { holderIdentity: 'another', renewTime: new Date().toISOString().replace('Z', '000Z') },
  };
  await server.client.patch(Lease, { name: 'fence', namespace }, lease as never);
  expect(await run).toMatchObject({ code: 'LEADERSHIP_LOST' });
  expect(await late).toMatchObject({ code: expect.stringMatching(/^LEADERSHIP_/) });
  expect(await east.client.get(ConfigMap, key('late'))).toBeUndefined();
});

const rounds = isThorough ? 500 : 50;

test(`clusters that join and leave ${rounds} times keep no memory`, { timeout: 120_000 }, async () => {
  const east = await otherCluster();
  const provider = new SettableClusters();
  const clusters = new Clusters(manager, { provider });
  keepSizes(clusters);
  await east.client.create(Thing, here('a', 1));
  await start();
  const caches: WeakRef<object>[] = [];
  for (let round = 0; round < rounds; round += 1) {
    provider.set({ [`c-${round}`]: east.environment.config });
    await waitFor(() => clusters.names[0] === `c-${round}`, { interval: 1 });
    caches.push(new WeakRef(clusters.get(`c-${round}`).cache));
    // Most leave while they fill their caches, some while they work.
    if (round % 20 === 0) await manager.idle();
  }
  provider.set({});
  await waitFor(() => clusters.names.length === 0);
  await waitFor(
    () => {
      collectGarbage();
      return caches.every((cache) => cache.deref() === undefined);
    },
    { timeout: '30s', message: () => `${caches.filter((cache) => cache.deref()).length} caches` },
  );
  expect(clusters.problems()).toEqual([]);
});
